import { defineConfig } from "vite";

// The names of the files are stable, because the program includes them.
export default defineConfig({
  build: {
    modulePreload: false,
    rollupOptions: {
      output: { entryFileNames: "assets/page.js", assetFileNames: "assets/page[extname]" },
    },
  },
});
