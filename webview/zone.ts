/** What every zone of the panel gets and gives: data flows in through `update`, wishes flow out through `PanelActions`. */
import type { AnyEvent } from '../src/core/reduce.ts';
import type { ViewState } from '../src/core/state.ts';
import type { BatchInfo, HostAction, PageAction } from '../src/protocol/messages.ts';

export type ViewName = 'picture' | 'table' | 'diagram';

/** The part of the time axis that is drawn, in milliseconds since the run began; undefined: all of it. */
export interface Zoom {
  readonly from: number;
  readonly to: number;
}

/** Everything that can be drawn at one moment. */
export interface PanelView {
  readonly batch: BatchInfo;
  /** The state at the cursor: what the zones show. */
  readonly state: ViewState;
  /** The state after the whole log: what the header shows. */
  readonly latest: ViewState;
  /** The whole log, in order. */
  readonly log: readonly AnyEvent[];
  /** How many events `state` has taken in; equals `log.length` while following. */
  readonly cursor: number;
  /** Whether the cursor follows the log. */
  readonly following: boolean;
  readonly playing: boolean;
  readonly speed: number;
  /** The selected call's index. */
  readonly selected: number | undefined;
  readonly view: ViewName;
  readonly zoom: Zoom | undefined;
  /** Calls that match what is being looked for; undefined when nothing is. */
  readonly found: ReadonlySet<number> | undefined;
  /**
   * Milliseconds since the run began that "now" stands for: while a live run is followed it moves between events,
   * otherwise it is the state's time. Open bars end here.
   */
  readonly now: number;
  readonly reducedMotion: boolean;
}

/** What a zone may ask for. Nothing in a zone changes anything else. */
export interface PanelActions {
  select(call: number | undefined): void;
  /** Move the cursor to just after this many events; the log's length follows again. */
  seek(cursor: number): void;
  zoom(zoom: Zoom | undefined): void;
  page(action: PageAction): void;
  host(action: HostAction): void;
  copy(text: string): void;
  openFile(resource: string): void;
}

/** A region of the panel. `update` is called at most once a frame and patches only what changed. */
export interface Zone {
  readonly element: HTMLElement;
  update(view: PanelView): void;
}
