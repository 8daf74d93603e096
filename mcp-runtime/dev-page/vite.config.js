import { defineConfig } from "vite";

// For development: the command `dev` that serves the interface.
const target = process.env.DEV_URL ?? "http://127.0.0.1:4000";

// One script and one style, which the command puts into its document.
export default defineConfig({
  server: { proxy: { "/api": target, "/views": target } },
  build: {
    modulePreload: false,
    cssCodeSplit: false,
    rollupOptions: {
      input: "src/main.ts",
      output: { format: "iife", entryFileNames: "page.js", assetFileNames: "page[extname]" },
    },
  },
});
