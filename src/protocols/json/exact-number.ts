declare global {
  interface JSON {
    /** ECMAScript 2026, of which TypeScript has no types yet: a value that is written as this text, of a string, number or constant. */
    rawJSON(text: string): object
  }
}

/** A number as it was written, where JavaScript would write it in another way: `1.0`, `1e3`, or more digits than it has room for. */
export class ExactNumber {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toJSON(): object {
    return JSON.rawJSON(this.#text)
  }
}
