// Every tool of every example is called on the page of the example.

import { answerAll, expect, fillTexts, test } from "./dev-program.mjs";

const EXAMPLES = [
  { name: "code_search" },
  { name: "conformance" },
  { name: "docs_server" },
  { name: "dynamic" },
  { name: "flights" },
  { name: "hello" },
  { name: "pipelines" },
  { name: "play_ttt" },
  { name: "settings", env: { SHOP_CODE: "spring" } },
  { name: "signup" },
  { name: "transfer" },
];

/** Tools that say why they cannot be called: by what their clients must declare, or on purpose. */
const FAILING = ["failing_job", "protocol_error_job", "test_tool_with_task"];

for (const example of EXAMPLES) {
  const { name } = example;
  test.describe(name, () => {
    test.use({ example, viewport: { width: 1440, height: 1000 } });

    test(`every tool of ${name} is called through the page`, async ({ dev, page }) => {
      test.setTimeout(900_000);
      await dev.open();
      const nav = page.getByRole("navigation");
      const items = nav.locator('a[href^="#tool/"], a[href^="#prompt/"], a[href^="#resource/"]');
      await items.first().waitFor();
      const names = await items.evaluateAll((links) => links.map((link) => link.getAttribute("href")));
      expect(names.length).toBeGreaterThan(0);
      for (const href of names) {
        const link = nav.locator(`a[href="${href}"]`);
        await link.click();
        await expect(link).toHaveAttribute("aria-current", "page");
        await expect(dev.item).toBeVisible();
        const begin = dev.form.getByRole("button", { name: "Use the example" });
        if (await begin.isVisible()) await begin.click();
        else await fillTexts(await dev.form.elementHandle());
        const lanes = await page.locator(".lane").count();
        const lane = await dev.call();
        await expect(page.locator(".lane")).toHaveCount(lanes + 1);
        await answerAll(lane);
        // A prompt or resource has no result that says what is wrong with an argument.
        const failing = href.startsWith("#tool/") ? FAILING.some((tool) => href.endsWith(`/${tool}`)) : undefined;
        const state = failing === undefined ? /^(finished|failed)$/ : failing ? "failed" : "finished";
        await expect(lane, href).toHaveAttribute("data-state", state);
      }
    });
  });
}
