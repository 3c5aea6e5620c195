/** What the store is given by the page around it. */
import type { PageMessage } from '../src/protocol/messages.ts';
import type { Saved } from './saved.ts';
import type { PageView } from './view.ts';

/** What the store needs of the page around it. */
export interface Surroundings {
  /** Milliseconds, monotonic. */
  now(): number;
  hidden(): boolean;
  requestFrame(run: () => void): void;
  post(message: PageMessage): void;
  save(saved: Saved): void;
}

/** What decides between layouts and behaviours beside the data. */
export type Circumstances = Pick<PageView, 'size' | 'reducedMotion' | 'screenReader'>;
