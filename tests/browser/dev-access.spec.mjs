// Keyboards, screen readers, narrow screens and hostile texts on the page of `dev`.

import { BAD_TOOLS, FAILED_BUILD, HOSTILE } from "./dev-items.mjs";
import { expect, test } from "./dev.mjs";

for (const colorScheme of ["light", "dark"]) {
  test.describe(`in ${colorScheme} colours`, () => {
    test.use({ colorScheme, messages: 500, viewport: { width: 1440, height: 1000 } });

    test("axe finds nothing in forms", async ({ dev, mock }) => {
      mock.items.tools.push(BAD_TOOLS.find(({ name }) => name === "strange"));
      await dev.open();
      expect(await dev.findings()).toEqual([]);
      for (const tool of ["find_hotel", "draw_shape", "strange"]) {
        await dev.page.goto(`${dev.mock.url}#tool/${tool}`);
        expect(await dev.findings(), tool).toEqual([]);
      }
    });

    test("axe finds nothing in a call", async ({ dev }) => {
      await dev.open("#tool/transfer_money");
      await dev.form.getByRole("button", { name: "Use the example" }).click();
      const lane = await dev.call();
      await lane.getByText("Faults: break this call").click();
      await lane.getByRole("button", { name: "Lose the next reply" }).click();
      await lane.getByRole("button", { name: "State and record" }).click();
      await expect(lane.getByText("Record of the ledger")).toBeVisible();
      await dev.screenshot(`call-${colorScheme}`);
      expect(await dev.findings()).toEqual([]);
      await lane.getByRole("checkbox", { name: "Send it" }).check();
      await lane.getByRole("button", { name: "Submit" }).click();
      await expect(lane.getByText("Done", { exact: true })).toBeVisible();
      for (const name of ["Spans and metrics", "Commands", "Make this a test"]) {
        await lane.getByRole("button", { name }).click();
        await expect(lane.getByRole("group", { name, exact: true })).toBeVisible();
        expect(await dev.findings(), name).toEqual([]);
      }
    });

    test("axe finds nothing in many calls", async ({ dev }) => {
      await dev.open();
      for (const tool of ["ask_twice", "ask_twice", "ask_model", "ask_roots", "show_media", "renamed", "fails"]) {
        await dev.choose(tool);
        await dev.call();
        await expect(dev.lane()).toContainText(tool);
      }
      await expect(dev.lane()).toContainText("Error -32602");
      await dev.screenshot(`lanes-${colorScheme}`);
      expect(await dev.findings()).toEqual([]);
    });

    test("axe finds nothing in the other panels", async ({ dev, page, mock }) => {
      await dev.open("#messages?message=250");
      await expect(page.getByRole("heading", { name: "Message 250: result" })).toBeVisible();
      await dev.screenshot(`messages-${colorScheme}`);
      expect(await dev.findings()).toEqual([]);
      await dev.tab("Build and server").click();
      mock.change({ build: FAILED_BUILD });
      await expect(page.getByRole("heading", { name: "error: mismatched types" })).toBeVisible();
      expect(await dev.findings()).toEqual([]);
      await dev.tab("Check").click();
      await expect(page.getByRole("table", { name: "Findings" })).toBeVisible();
      expect(await dev.findings()).toEqual([]);
      mock.lose();
      await expect(page.getByText("The connection is lost. Trying again…")).toBeVisible();
      expect(await dev.findings()).toEqual([]);
    });
  });
}

test("a tool is found, called and answered with the keyboard alone", async ({ dev, page }) => {
  await dev.open();
  const { keyboard } = page;
  const tabTo = async (target) => {
    for (let step = 0; step < 80; step += 1) {
      if ((await target.count()) === 1 && (await target.evaluate((element) => element === document.activeElement)))
        return;
      await keyboard.press("Tab");
    }
    throw new Error("the keyboard does not reach it");
  };
  await expect(page.getByRole("link", { name: "Transfer money" })).toBeVisible();
  await keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the calls" })).toBeFocused();
  await tabTo(page.getByRole("navigation").getByRole("searchbox"));
  await keyboard.type("transfer");
  await keyboard.press("ArrowDown");
  await keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Transfer money" })).toBeFocused();
  await tabTo(dev.form.getByRole("button", { name: "Use the example" }));
  await keyboard.press("Space");
  await tabTo(dev.form.getByRole("textbox", { name: "Cents" }));
  await keyboard.press("Control+Enter");
  await expect(dev.lane()).toBeFocused();
  await dev.hears("Question: Send 1200 cents to DE-77?");
  await tabTo(dev.lane().getByRole("checkbox", { name: "Send it" }));
  await keyboard.press("Space");
  await tabTo(dev.lane().getByText("Faults: break this call"));
  await keyboard.press("Enter");
  await tabTo(dev.lane().getByRole("button", { name: "Lose the next reply" }));
  await keyboard.press("Enter");
  await dev.hears("Armed: Lose the next reply.");
  await dev.lane().getByRole("button", { name: "Submit" }).focus();
  await keyboard.press("Enter");
  await dev.hears("transfer_money: Done");
  // The form is gone, and the keyboard is still at its call.
  await expect(dev.lane()).toBeFocused();
});

test("tabs are moved between with arrows", async ({ dev, page }) => {
  await dev.open();
  await dev.tab("Calls").focus();
  await page.keyboard.press("ArrowRight");
  await expect(dev.tab("Messages")).toBeFocused();
  await expect(page).toHaveURL(/#messages$/);
  await page.keyboard.press("End");
  await expect(page.getByRole("tabpanel", { name: "Check" })).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(dev.tab("Calls")).toBeFocused();
});

test("the keyboard stays on a call while its next question comes", async ({ dev }) => {
  await dev.open("#tool/ask_twice");
  const lane = await dev.call();
  await lane.getByRole("textbox", { name: "Size" }).fill("2");
  await lane.getByRole("textbox", { name: "Size" }).press("Enter");
  await expect(lane).toBeFocused();
});

test.describe("on a screen of 320 pixels", () => {
  test.use({ viewport: { width: 320, height: 640 }, messages: 300 });

  test("nothing is cut off", async ({ dev, page }) => {
    await dev.open("#tool/transfer_money");
    await dev.form.getByRole("button", { name: "Use the example" }).click();
    const lane = await dev.call();
    await lane.getByText("Faults: break this call").click();
    await lane.getByRole("button", { name: "State and record" }).click();
    await expect(lane.getByText("Record of the ledger")).toBeVisible();
    const isFit = async (what) => {
      expect(await page.evaluate(() => document.documentElement.scrollWidth), what).toBe(320);
      const wide = await page.evaluate(() =>
        [...document.querySelectorAll("body *")]
          .filter(
            (element) =>
              !element.closest(".scroller, .tabs, pre, .visually-hidden, .skip") &&
              element.getBoundingClientRect().right > 320.5,
          )
          .map((element) => element.outerHTML.slice(0, 100)),
      );
      expect(wide, what).toEqual([]);
    };
    await isFit("calls");
    await dev.screenshot("narrow");
    await page.getByText(/^Client: /).click();
    await isFit("client");
    await dev.page.goto(`${dev.mock.url}#tool/draw_shape`);
    await isFit("form");
    for (const [name, shown] of [
      ["Messages", "listbox"],
      ["Build and server", "heading"],
      ["Check", "table"],
    ]) {
      await dev.tab(name).click();
      await expect(page.getByRole("tabpanel", { name }).getByRole(shown).first()).toBeVisible();
      await isFit(name);
    }
    await dev.tab("Messages").click();
    const row = page.locator(".log-row").nth(3);
    await expect(row).not.toHaveAttribute("aria-label", "Loading");
    // On a busy machine, the list can be drawn again while the row is clicked.
    await expect(async () => {
      await row.click();
      await expect(page.getByRole("region", { name: "Message", exact: true })).toBeVisible({ timeout: 2_000 });
    }).toPass();
    await isFit("message");
    expect(await dev.findings()).toEqual([]);
  });
});

test.describe("with reduced motion", () => {
  test.use({ reducedMotion: "reduce" });

  test("nothing moves", async ({ dev, page }) => {
    await dev.open("#tool/transfer_money");
    await dev.form.getByRole("button", { name: "Use the example" }).click();
    await dev.call();
    expect(
      await page.evaluate(() => document.getAnimations().filter(({ playState }) => playState === "running").length),
    ).toBe(0);
  });
});

test("texts of the server are texts, wherever they are", async ({ dev, page, mock }) => {
  mock.items.tools.push(...BAD_TOOLS);
  mock.items.serverInfo = { name: HOSTILE, version: HOSTILE };
  mock.items.instructions = HOSTILE;
  mock.state.program = HOSTILE;
  mock.state.server = { ...mock.state.server, reason: HOSTILE, output: [HOSTILE, "\u001b[31mred"] };
  mock.state.build = {
    status: "failed",
    number: 1,
    diagnostics: [{ level: HOSTILE, message: HOSTILE, rendered: HOSTILE, file: HOSTILE }],
  };
  mock.items.prompts.push({ name: HOSTILE, title: HOSTILE, arguments: [{ name: HOSTILE, description: HOSTILE }] });
  mock.items.resources.push({ uri: "javascript:window.hacked=1", name: HOSTILE });
  mock.wire({ direction: "received", kind: HOSTILE, request: HOSTILE, call: HOSTILE, body: HOSTILE });
  await dev.open();
  await expect(page.getByRole("heading", { name: HOSTILE, level: 2 })).toBeVisible();
  await dev.page.goto(`${mock.url}#tool/hostile`);
  const lane = await dev.call();
  await expect(lane.getByRole("textbox")).toBeVisible();
  await lane.getByRole("textbox").fill(HOSTILE);
  await lane.getByRole("button", { name: "Submit" }).click();
  await expect(lane.getByText("Done", { exact: true })).toBeVisible();
  await lane.getByText("The whole result").click();
  for (const name of ["State and record", "Commands", "Make this a test"])
    await lane.getByRole("button", { name }).click();
  await dev.page.goto(`${mock.url}#tool/strange`);
  await dev.call();
  await dev.page.goto(`${mock.url}#prompt/${encodeURIComponent(HOSTILE)}`);
  await dev.call();
  await dev.page.goto(`${mock.url}#resource/${encodeURIComponent("javascript:window.hacked=1")}`);
  await dev.call();
  for (const name of ["Build and server", "Check", "Messages"]) await dev.tab(name).click();
  await page.getByRole("option", { name: /^1, / }).click();
  await expect(page.getByRole("region", { name: "Message", exact: true })).toContainText("window.hacked=1");
  expect(await page.evaluate(() => window.hacked)).toBeUndefined();
  expect(await page.locator("img, script:not(body > script), a[href^='javascript:']").count()).toBe(0);
});
