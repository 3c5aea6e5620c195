/** What a screen reader is told while a run goes on: seldom, short, and nothing while the user moves the cursor. */
import type { ViewState } from '../src/core/state.ts';
import { rowAt } from '../src/core/table.ts';
import { shortened } from './format.ts';
import { headline } from './select/headline.ts';
import type { PageView } from './view.ts';

/** Milliseconds between two sentences at least. */
export const QUIET = 2000;
/** Characters of a sentence at most. */
export const LONGEST = 120;

/** What to say of a live run now; empty where nothing is worth saying. */
export function sentenceFor(view: PageView): string {
  if (!view.following || view.playing || view.waiting || view.empty) return '';
  const { latest, batch } = view;
  if (latest.phase === 'running') return shortened(waveSentence(latest), LONGEST);
  if (latest.phase === 'aborted') return '';
  const { word, rest, time } = headline(latest, batch.source, view.now);
  const parts = latest.phase === 'done' ? [word, rest, `in ${time}`] : [word, rest];
  return shortened(`${parts.filter((part) => part !== '').join(' ')}.`, LONGEST);
}

/** What has to be said at once: an abort, or a problem of Waves itself (that one is an alert by its own element). */
export function alertFor(view: PageView): string {
  const { latest } = view;
  if (latest.phase !== 'aborted') return '';
  const { word, rest } = headline(latest, view.batch.source, view.now);
  return shortened(
    [word, rest, latest.stop ? `: ${latest.stop.reason}` : ''].join(' ').replace(' :', ':'),
    200,
  );
}

function waveSentence(state: ViewState): string {
  const index = state.wave ?? 0;
  const wave = rowAt(state.waves, index);
  if (!wave) return '';
  const { running, holding, queued } = state.counts;
  const waiting = queued === 0 ? 'none waiting' : `${queued} waiting`;
  return `Wave ${index + 1}: ${wave.ended} of ${wave.calls.size} done, ${running + holding} running, ${waiting}.`;
}

/** Decides when a sentence is said: the newest one, at most one in two seconds, none twice. */
export class Announcer {
  private said = '';
  private next = '';
  private saidAt = Number.NEGATIVE_INFINITY;
  private timer = false;
  private readonly say: (sentence: string) => void;
  private readonly now: () => number;
  private readonly later: (run: () => void, ms: number) => void;

  constructor(
    say: (sentence: string) => void,
    now: () => number,
    later: (run: () => void, ms: number) => void,
  ) {
    this.say = say;
    this.now = now;
    this.later = later;
  }

  /** Takes in the sentence that holds now; an empty one takes back what was not said yet. */
  offer(sentence: string): void {
    this.next = sentence;
    if (sentence === '' || sentence === this.said) return;
    const wait = this.saidAt + QUIET - this.now();
    if (wait <= 0) this.flush();
    else if (!this.timer) {
      this.timer = true;
      this.later(() => {
        this.timer = false;
        this.flush();
      }, wait);
    }
  }

  private flush(): void {
    if (this.next === '' || this.next === this.said) return;
    this.said = this.next;
    this.saidAt = this.now();
    this.say(this.said);
  }
}
