import { defineConfig } from "@playwright/test";

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.mjs",
  // `.ci/book` runs it, after it has built the book.
  testIgnore: process.env.BOOK ? [] : ["book.spec.mjs"],
  outputDir: process.env.REPORTS ?? "../../target/browser",
  // These only end what hangs: on a busy machine, a page needs many times as long.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  // Two cores: a server and a browser for each worker.
  workers: 2,
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  reporter: [["list"]],
  use: {
    browserName: "chromium",
    locale: "en-GB",
    timezoneId: "UTC",
    viewport: { width: 1100, height: 800 },
    launchOptions: {
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      // Containers run as root and have a small /dev/shm.
      args: ["--no-sandbox", "--disable-dev-shm-usage"],
    },
  },
});
