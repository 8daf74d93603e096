// Styles are files that the build tool reads.
declare module "*.css";
