import { createLoopCheck, type LoopCheck } from '../core/dispatch/loops.ts';
import { createSession, type Session } from '../tools/session.ts';

/** What the batches of one conversation share. */
export interface ApiSession {
  /** What was read of the files. */
  readonly seen: Session;
  /** Absent for batches that belong to no conversation in particular. */
  readonly loopCheck?: LoopCheck;
}

/** How many conversations are remembered; of more, the one that was silent longest is forgotten. */
const KEPT = 100;

/** The conversations that other extensions hold through the API, by the names that they gave them. */
export class ApiSessions {
  readonly #unnamed: ApiSession = { seen: createSession() };
  readonly #named = new Map<string, ApiSession>();

  get(name: string | undefined): ApiSession {
    if (name === undefined) return this.#unnamed;
    const session = this.#named.get(name) ?? { seen: createSession(), loopCheck: createLoopCheck() };
    this.#named.delete(name); // to the end: it was used last
    this.#named.set(name, session);
    for (const oldest of this.#named.keys()) {
      if (this.#named.size <= KEPT) break;
      this.#named.delete(oldest);
    }
    return session;
  }
}
