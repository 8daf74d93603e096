// The page of the command `dev`: items, their forms, and what a link opens.

import { expect, test } from "./dev.mjs";

test.use({ viewport: { width: 1440, height: 900 } });

test("lists what the server has, and finds items by their words", async ({ dev, page }) => {
  await dev.open();
  const nav = page.getByRole("navigation");
  for (const group of ["Tools", "Prompts", "Resources", "Resource templates", "Skills", "Views"]) {
    await expect(nav.getByRole("heading", { name: new RegExp(`^${group} \\d+$`) })).toBeVisible();
  }
  await nav.getByRole("searchbox").fill("transfers money");
  await expect(nav.getByRole("link")).toHaveCount(1);
  await nav.getByRole("searchbox").press("Enter");
  await expect(page.getByRole("heading", { name: "Transfer money", level: 2 })).toBeVisible();
  await dev.screenshot("item");
});

test("calls a tool, and shows its conversation", async ({ dev, page }) => {
  await dev.open("#tool/transfer_money");
  await dev.form.getByRole("button", { name: "Use the example" }).click();
  const lane = await dev.call();
  await expect(lane.getByText("Asks", { exact: true })).toBeVisible();
  await dev.screenshot("asks");
  await lane.getByRole("checkbox", { name: "Send it" }).check();
  await lane.getByRole("button", { name: "Submit" }).click();
  await expect(lane.getByText("Done", { exact: true })).toBeVisible();
  await dev.screenshot("done");
});
