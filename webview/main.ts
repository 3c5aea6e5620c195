/** The page's beginning: ties host, store, layout, keys and announcements together. */

import { rowsOf } from '../src/core/table.ts';
import { isHostMessage, type PageAction, type PageMessage } from '../src/protocol/messages.ts';
import { Announcer, alertFor, sentenceFor } from './announce.ts';
import { type CommandPage, commandForAction } from './commands.ts';
import { el, setText } from './dom.ts';
import { nextOf } from './find.ts';
import { FocusReturn, focusNextZone, guardFocus } from './focus.ts';
import { listenToKeys } from './keys.ts';
import { Layout, type LayoutActions } from './layout.ts';
import { readSaved, type Saved } from './saved.ts';
import { PanelStore } from './store.ts';
import type { Circumstances } from './surroundings.ts';

/** What the editor gives a webview. */
interface EditorApi {
  postMessage(message: PageMessage): void;
  getState(): unknown;
  setState(state: Saved): void;
}
declare function acquireVsCodeApi(): EditorApi;

function start(editor: EditorApi): void {
  const store = new PanelStore(
    {
      now: () => performance.now(),
      hidden: () => document.hidden,
      requestFrame: (run) => requestAnimationFrame(run),
      post: (message) => editor.postMessage(message),
      save: (saved) => editor.setState(saved),
    },
    circumstances(),
    readSaved(editor.getState()),
  );
  const page = createPage(store);
  document.body.append(page.layout.element, page.polite, page.alert);

  addEventListener('message', (event: MessageEvent<unknown>) => {
    const message = event.data;
    if (!isHostMessage(message)) return;
    if (message.type === 'action') commandForAction(message.action)?.run(page.commands);
    else guarded(store, () => store.receive(message));
  });
  document.addEventListener('visibilitychange', () => store.visibilityChanged());
  addEventListener('error', (event) => editor.postMessage({ type: 'page-error', message: event.message }));
  addEventListener('unhandledrejection', (event) =>
    editor.postMessage({ type: 'page-error', message: wording(event.reason) }),
  );
  watchCircumstances(() => store.setCircumstances(circumstances()));
  listenToKeys(document, page.commands);
  store.setCircumstances(circumstances());
  editor.postMessage({ type: 'ready' });
}

interface Page {
  readonly layout: Layout;
  readonly commands: CommandPage;
  readonly polite: HTMLElement;
  readonly alert: HTMLElement;
}

function createPage(store: PanelStore): Page {
  const leaveField = () => focusReturn.back();
  const run = (action: PageAction) => commandForAction(action)?.run(commands);
  const layout = new Layout(createActions(store, run, leaveField));
  const focusReturn = new FocusReturn(layout.main);
  const polite = el('div', { class: 'hidden-text', role: 'status', 'aria-live': 'polite' });
  const alert = el('div', { class: 'hidden-text', role: 'alert' });
  const keepFocus = guardFocus(layout.element, layout.main);
  const commands: CommandPage = {
    store,
    openHelp: () => layout.help.open(),
    focusWhy: () => layout.focusWhy(),
    focusFind: () => {
      focusReturn.leave();
      layout.header.find.focus();
    },
    focusGoTo: () => {
      focusReturn.leave();
      layout.transport.focusGoTo();
    },
    focusZone: (direction) => focusNextZone(layout.element, direction),
    escape: () => closeTopmost(store, layout, leaveField),
  };
  const announcer = new Announcer(
    (sentence) => setText(polite, sentence),
    () => performance.now(),
    (run, ms) => setTimeout(run, ms),
  );
  let scrolledFor: string | undefined;
  layout.main.addEventListener('scrollend', () => store.go({ scroll: Math.round(layout.main.scrollTop) }));
  store.subscribe((view) => {
    const drawn = guarded(store, () => layout.update(view), view.problem !== undefined);
    if (!drawn) return;
    if (scrolledFor !== view.batch.id && view.batch.id !== '') {
      scrolledFor = view.batch.id;
      layout.main.scrollTop = store.scroll;
    }
    announcer.offer(sentenceFor(view));
    setText(alert, alertFor(view));
    keepFocus();
  });
  return { layout, commands, polite, alert };
}

function createActions(
  store: PanelStore,
  run: (action: PageAction) => void,
  leaveField: () => void,
): LayoutActions {
  return {
    select: (call) => store.go({ selected: call }),
    seek: (cursor) => store.seek(cursor),
    zoom: (zoom) => store.go({ zoom }),
    page: run,
    host: (action) => store.post({ type: 'action', action }),
    copy: (text) => store.post({ type: 'copy', text }),
    openFile: (resource) => store.post({ type: 'open-file', resource }),
    show: (view) => store.go({ view }),
    selectStatus: (status) => {
      const { latest, selected } = store.view();
      const calls = [...rowsOf(latest.calls)].filter((row) => row.status === status).map((row) => row.index);
      store.go({ selected: nextOf(calls, selected, 1) });
    },
    look: (query) => {
      store.go({ query });
      if (query === undefined) leaveField();
    },
    nextMatch: (direction) => {
      const { found, selected } = store.view();
      const next = found && nextOf(found, selected, direction);
      if (next !== undefined) store.go({ selected: next });
    },
    pace: (pace) => store.go(pace === 'fit' ? { fit: true } : { fit: false, speed: pace }),
    goTo: (cursor) => {
      store.go({ goingTo: false });
      leaveField();
      if (cursor !== undefined) store.seek(cursor);
    },
    retry: () => store.post({ type: 'ready' }),
    failed: (error) => store.fail({ message: 'The diagram could not be loaded.', detail: wording(error) }),
  };
}

/** Closes the topmost of: menu, go-to field, find, selection. (The help dialog closes itself.) */
function closeTopmost(store: PanelStore, layout: Layout, leaveField: () => void): boolean {
  const { goingTo, query, selected } = store.view();
  if (layout.header.menu.isOpen) layout.header.menu.close();
  else if (goingTo || query !== undefined) {
    store.go(goingTo ? { goingTo: false } : { query: undefined });
    leaveField();
  } else if (selected !== undefined) store.go({ selected: undefined });
  else return false;
  return true;
}

/** Runs something that must not end the page: an error becomes a problem that is shown and logged, once. */
function guarded(store: PanelStore, run: () => void, known = false): boolean {
  try {
    run();
    return true;
  } catch (error) {
    if (known) return false;
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    store.post({ type: 'page-error', message: detail });
    store.fail({ message: 'The panel could not draw this run.', detail });
    return false;
  }
}

const WIDE = '(min-width: 960px)';
const MEDIUM = '(min-width: 480px)';
const STILL = '(prefers-reduced-motion: reduce)';

function circumstances(): Circumstances {
  const { classList } = document.body;
  return {
    size: matchMedia(WIDE).matches ? 'wide' : matchMedia(MEDIUM).matches ? 'medium' : 'narrow',
    reducedMotion: matchMedia(STILL).matches || classList.contains('vscode-reduce-motion'),
    screenReader: classList.contains('vscode-using-screen-reader'),
  };
}

/** The editor says by classes of the body that motion is not wanted, that a screen reader is used, or another theme. */
function watchCircumstances(changed: () => void): void {
  for (const query of [WIDE, MEDIUM, STILL]) matchMedia(query).addEventListener('change', changed);
  new MutationObserver(changed).observe(document.body, { attributes: true, attributeFilter: ['class'] });
}

function wording(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

start(acquireVsCodeApi());
