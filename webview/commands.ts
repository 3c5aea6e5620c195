/** Everything the user can do by key, by palette command or by button: the one place that ties them together. */
import type { ViewState } from '../src/core/state.ts';
import { rowAt } from '../src/core/table.ts';
import type { PageAction } from '../src/protocol/messages.ts';
import { errorsOf, nextOf, warnedOf } from './find.ts';
import { fullRange, rangeOf } from './lanes/scale.ts';
import { fitted, zoomed } from './lanes/zooming.ts';
import { nextSpeed } from './playback.ts';
import { waveStep } from './steps.ts';
import type { PanelStore } from './store.ts';

/** The parts of the page that commands move the focus to. */
export interface CommandPage {
  readonly store: PanelStore;
  openHelp(): void;
  /** The focus goes to Why, unfolded. */
  focusWhy(): void;
  focusFind(): void;
  focusGoTo(): void;
  /** The focus goes to the next (or previous) zone; false past the last one, where it leaves the panel. */
  focusZone(direction: -1 | 1): boolean;
  /** Closes the topmost thing that can be closed; false where there is none. */
  escape(): boolean;
}

export interface Command {
  readonly id: PageAction | 'open-why' | 'escape' | 'next-zone' | 'previous-zone';
  readonly label: string;
  /** "Shift+ArrowRight", "Ctrl+f", "g". Ctrl stands for Cmd on a Mac too. */
  readonly keys: readonly string[];
  /** False where there was nothing to do, so that the key keeps its usual meaning. */
  run(page: CommandPage): boolean;
}

export const COMMANDS: readonly Command[] = [
  command('play-pause', 'Play or pause', [' '], ({ store }) => store.playOrPause()),
  command('step-forward', 'Next step', ['ArrowRight'], ({ store }) => store.seek(store.cursor + 1)),
  command('step-back', 'Previous step', ['ArrowLeft'], ({ store }) => store.seek(store.cursor - 1)),
  command('next-wave', 'Next wave', ['Shift+ArrowRight'], ({ store }) => toWave(store, 1)),
  command('previous-wave', 'Previous wave', ['Shift+ArrowLeft'], ({ store }) => toWave(store, -1)),
  command('first-step', 'First step', ['Home'], ({ store }) => store.seek(0)),
  command('latest-step', 'Latest step', ['End'], ({ store }) => store.follow()),
  command('go-to-step', 'Go to step…', ['g'], (page) => {
    page.store.go({ goingTo: true });
    page.focusGoTo();
  }),
  command('slower', 'Slower', ['['], ({ store }) => pace(store, -1)),
  command('faster', 'Faster', [']'], ({ store }) => pace(store, 1)),
  command('follow-live', 'Follow live', ['l'], ({ store }) => store.follow()),
  command('zoom-in', 'Zoom in', ['+', '='], ({ store }) => zoom(store, 1 / 1.5)),
  command('zoom-out', 'Zoom out', ['-'], ({ store }) => zoom(store, 1.5)),
  command('zoom-all', 'Zoom to all', ['0'], ({ store }) => store.go({ zoom: undefined })),
  command('zoom-selection', 'Zoom to the selected call', ['f'], ({ store }) => zoomToSelection(store)),
  command('open-why', 'Open Why for the selected call', ['Enter'], (page) => {
    if (page.store.view().selected === undefined) return false;
    page.focusWhy();
    return true;
  }),
  command('next-error', 'Next error', ['e'], ({ store }) => toNext(store, errorsOf, 1)),
  command('previous-error', 'Previous error', ['Shift+E'], ({ store }) => toNext(store, errorsOf, -1)),
  command('next-warning', 'Next warning', ['w'], ({ store }) => toNext(store, warnedOf, 1)),
  command('previous-warning', 'Previous warning', ['Shift+W'], ({ store }) => toNext(store, warnedOf, -1)),
  command('find', 'Find', ['/', 'Ctrl+f'], (page) => {
    page.store.go({ query: page.store.view().query ?? '' });
    page.focusFind();
  }),
  command('toggle-table', 'Picture or table', ['t'], ({ store }) =>
    store.go({ view: store.view().view === 'table' ? 'picture' : 'table' }),
  ),
  command('show-picture', 'Show the picture', [], ({ store }) => store.go({ view: 'picture' })),
  command('show-table', 'Show the table', [], ({ store }) => store.go({ view: 'table' })),
  command('show-diagram', 'Show the diagram', [], ({ store }) => store.go({ view: 'diagram' })),
  command('help', 'Help with these keys', ['?'], (page) => page.openHelp()),
  command('escape', 'Close, clear find, clear the selection', ['Escape'], (page) => page.escape()),
  command('next-zone', 'Next zone, then out of the panel', ['F6'], (page) => page.focusZone(1)),
  command('previous-zone', 'Previous zone', ['Shift+F6'], (page) => page.focusZone(-1)),
];

/** The command that a key stands for. */
export function commandForKey(key: string): Command | undefined {
  return COMMANDS.find((one) => one.keys.includes(key));
}

/** The command that a message of the host asks for. */
export function commandForAction(action: PageAction): Command | undefined {
  return COMMANDS.find((one) => one.id === action);
}

const KEY_NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowRight: '→',
  ArrowLeft: '←',
  Escape: 'Esc',
};

/** A key as people read it: "Shift+→", "G". */
export function keyLabel(key: string): string {
  const parts = key === '+' ? ['+'] : key.split('+');
  return parts.map((part) => KEY_NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part)).join('+');
}

/** How a key press is written in `Command.keys`. */
export function keyOf(
  event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>,
): string {
  const letter = /^[a-z]$/i.test(event.key);
  const shift = event.shiftKey && (letter || event.key.length > 1);
  const key = letter && !shift ? event.key.toLowerCase() : event.key;
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.altKey ? 'Alt+' : ''}${shift ? 'Shift+' : ''}${key}`;
}

function command(
  id: Command['id'],
  label: string,
  keys: readonly string[],
  run: (page: CommandPage) => unknown,
): Command {
  return { id, label, keys, run: (page) => run(page) !== false };
}

function toWave(store: PanelStore, direction: -1 | 1): void {
  store.seek(waveStep(store.events, store.cursor, direction));
}

function pace(store: PanelStore, direction: -1 | 1): void {
  store.go({ speed: nextSpeed(store.view().speed, direction), fit: false });
}

function zoom(store: PanelStore, factor: number): void {
  const view = store.view();
  const range = rangeOf(view);
  const row = view.selected === undefined ? undefined : rowAt(view.state.calls, view.selected);
  const from = row?.startedAt ?? row?.queuedAt;
  const centre = from === undefined ? (range.from + range.to) / 2 : (from + (row?.endedAt ?? view.now)) / 2;
  store.go({ zoom: zoomed(range, centre, factor, fullRange(view)) });
}

function zoomToSelection(store: PanelStore): boolean {
  const view = store.view();
  const row = view.selected === undefined ? undefined : rowAt(view.state.calls, view.selected);
  const from = row?.permitTakenAt ?? row?.queuedAt;
  if (!row || from === undefined) return false;
  store.go({ zoom: fitted({ from, to: row.endedAt ?? view.now }, fullRange(view)) });
  return true;
}

function toNext(
  store: PanelStore,
  among: (state: ViewState) => Iterable<number>,
  direction: -1 | 1,
): boolean {
  const { state, selected } = store.view();
  const next = nextOf(among(state), selected, direction);
  if (next === undefined) return false;
  store.go({ selected: next });
  return true;
}
