// Writes a picture of every state × theme × width of the panel: `node test/ui/screenshots.mjs [state… theme… width…]`.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { servePanel } from './panelPage.mjs';
import { bigScenario, eventsOf, logMessage, panelStates, scenario } from './panelStates.mjs';
import { THEMES } from './themes.mjs';

const FOLDER = fileURLToPath(new URL('../../.vscode-test/shots', import.meta.url));
const SIZES = { wide: [1280, 800], medium: [700, 900], narrow: [320, 720] };

const wanted = process.argv.slice(2);
mkdirSync(FOLDER, { recursive: true });
const server = await servePanel();
try {
  const all = await shots();
  const names = Object.keys(all);
  for (const [name, { messages, prepare }] of Object.entries(all)) {
    if (!isWanted(name, names)) continue;
    for (const theme of Object.keys(THEMES).filter((one) => isWanted(one, Object.keys(THEMES)))) {
      for (const [size, [width, height]] of Object.entries(SIZES)) {
        if (!isWanted(size, Object.keys(SIZES))) continue;
        const panel = await server.open({ theme, width, height, messages });
        await prepare?.(panel);
        await panel.drawn();
        const file = join(FOLDER, `${name}-${theme}-${size}.png`);
        await panel.page.screenshot({ path: file });
        if (panel.problems.length > 0)
          console.error(`${name}, ${theme}, ${size}: ${panel.problems.join('\n')}`);
        await panel.close();
      }
    }
    console.log(name);
  }
} finally {
  await server.close();
}

/** Whether one of a kind was asked for, by name or because none of its kind was named. */
function isWanted(name, kind) {
  return wanted.includes(name) || !wanted.some((one) => kind.includes(one));
}

/** The states, and pictures of a few other things. */
async function shots() {
  const states = Object.fromEntries(
    Object.entries(await panelStates()).map(([name, messages]) => [name, { messages }]),
  );
  const nine = await eventsOf(scenario('nine-calls'));
  const short = nine.map((event) => ({ ...event, t: event.t / 280 }));
  const long = nine.map((event) => ({ ...event, t: event.t * 440 }));
  const select = (index) => async (panel) => {
    await panel.page.evaluate((call) => document.querySelector(`[data-call="${call}"]`)?.click(), index);
  };
  const key =
    (...keys) =>
    async (panel) => {
      for (const one of keys) await panel.page.keyboard.press(one);
    };
  return {
    ...states,
    gate: { ...states.gate, prepare: select(0) },
    selected: { messages: [logMessage(nine)], prepare: select(4) },
    table: { messages: [logMessage(nine)], prepare: key('t') },
    help: { messages: [logMessage(nine)], prepare: key('?') },
    six: { messages: [logMessage(await eventsOf(scenario('six-calls')))], prepare: select(4) },
    short: { messages: [logMessage(short)] },
    long: { messages: [logMessage(long)] },
    big: { messages: [logMessage(await eventsOf(bigScenario(500)))], prepare: select(130) },
    scrubbed: {
      messages: [logMessage(nine)],
      prepare: key('Home', 'Shift+ArrowRight', 'Shift+ArrowRight', 'ArrowRight'),
    },
  };
}
