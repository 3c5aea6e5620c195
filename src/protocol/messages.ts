/**
 * What the host and the page say to each other: this file, both ways, and its guards.
 * The host holds the log; a page that is opened, shown again or has a gap gets all of it (`log`), then what is new
 * (`append`). A message of an older batch or with a gap is never applied: the page asks for the log again.
 */
import { isRecord } from '../core/record.ts';
import type { AnyEvent } from '../core/reduce.ts';

/** What the panel shows. */
export interface BatchInfo {
  readonly id: string;
  /** For the header and the tab: "batch 14", a file's name. */
  readonly title: string;
  /** `live` while more events may come; `recorded` when the log is all there is. */
  readonly source: 'live' | 'recorded';
  /** Sentences about the log that a person should know, say a cut-off last line. */
  readonly notes: readonly string[];
}

/** What the user can ask of the host from the page. */
export const HOST_ACTIONS = [
  'cancel',
  'stop-waiting',
  'run-sample',
  'run-batch',
  'open-recording',
  'save-recording',
  'read-how-waves-work',
] as const;
export type HostAction = (typeof HOST_ACTIONS)[number];

/** What a command of the palette can ask of the page; the page's keys do the same. */
export const PAGE_ACTIONS = [
  'play-pause',
  'step-forward',
  'step-back',
  'next-wave',
  'previous-wave',
  'first-step',
  'latest-step',
  'go-to-step',
  'slower',
  'faster',
  'follow-live',
  'zoom-in',
  'zoom-out',
  'zoom-all',
  'zoom-selection',
  'next-error',
  'previous-error',
  'next-warning',
  'previous-warning',
  'find',
  'toggle-table',
  'show-picture',
  'show-table',
  'show-diagram',
  'help',
] as const;
export type PageAction = (typeof PAGE_ACTIONS)[number];

export type HostMessage =
  | { readonly type: 'log'; readonly batch: BatchInfo; readonly events: readonly AnyEvent[] }
  | {
      readonly type: 'append';
      readonly batchId: string;
      readonly from: number;
      readonly events: readonly AnyEvent[];
    }
  | { readonly type: 'empty' }
  | { readonly type: 'problem'; readonly message: string; readonly detail?: string }
  | { readonly type: 'action'; readonly action: PageAction };

export type PageMessage =
  | { readonly type: 'ready' }
  /** The page missed events of this batch. */
  | { readonly type: 'resync'; readonly batchId: string; readonly have: number }
  | { readonly type: 'action'; readonly action: HostAction }
  | { readonly type: 'copy'; readonly text: string }
  | { readonly type: 'open-file'; readonly resource: string }
  /** An error of the page itself, for the log. */
  | { readonly type: 'page-error'; readonly message: string };

/** Whether something that came from the page is a message of this protocol. */
export function isPageMessage(value: unknown): value is PageMessage {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case 'ready':
      return true;
    case 'resync':
      return typeof value.batchId === 'string' && typeof value.have === 'number';
    case 'action':
      return HOST_ACTIONS.some((action) => action === value.action);
    case 'copy':
      return typeof value.text === 'string';
    case 'open-file':
      return typeof value.resource === 'string';
    case 'page-error':
      return typeof value.message === 'string';
    default:
      return false;
  }
}

/** Whether something that came to the page is a message of this protocol. */
export function isHostMessage(value: unknown): value is HostMessage {
  if (!isRecord(value)) return false;
  switch (value.type) {
    case 'log':
      return isRecord(value.batch) && typeof value.batch.id === 'string' && Array.isArray(value.events);
    case 'append':
      return (
        typeof value.batchId === 'string' && typeof value.from === 'number' && Array.isArray(value.events)
      );
    case 'empty':
      return true;
    case 'problem':
      return typeof value.message === 'string';
    case 'action':
      return PAGE_ACTIONS.some((action) => action === value.action);
    default:
      return false;
  }
}
