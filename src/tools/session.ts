/** What one session has seen of each file, so that an edit never rests on text that is no longer there (case 32). */
export interface Session {
  /** The text that the model knows now, since it has written it. */
  saw(resource: string, text: string): void;
  /**
   * The text that the model will know when it is told of it: calling what this returns says that it has been. Until
   * then an edit rests on what it knew before. What was written since the reading stays known.
   */
  reads(resource: string, text: string): () => void;
  /** Undefined when the model has never seen the file. Content decides, not the time stamp. */
  isStale(resource: string, text: string): boolean | undefined;
}

/** A session that has seen nothing yet. It keeps fingerprints, not texts. */
export function createSession(): Session {
  const seen = new Map<string, { readonly print: string; readonly at: number }>();
  let now = 0;
  return {
    saw: (resource, text) => void seen.set(resource, { print: fingerprint(text), at: ++now }),
    reads(resource, text) {
      const read = { print: fingerprint(text), at: ++now };
      return () => {
        const known = seen.get(resource);
        if (!known || known.at < read.at) seen.set(resource, read);
      };
    },
    isStale(resource, text) {
      const known = seen.get(resource);
      return known === undefined ? undefined : known.print !== fingerprint(text);
    },
  };
}

/** Length and four 32-bit lanes (cyrb128): far beyond what chance could make equal. */
function fingerprint(text: string): string {
  let a = 1779033703;
  let b = 3144134277;
  let c = 1013904242;
  let d = 2773480762;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = b ^ Math.imul(a ^ unit, 597399067);
    b = c ^ Math.imul(b ^ unit, 2869860233);
    c = d ^ Math.imul(c ^ unit, 951274213);
    d = a ^ Math.imul(d ^ unit, 2716044179);
  }
  return [text.length, a >>> 0, b >>> 0, c >>> 0, d >>> 0].join('-');
}
