/** How far a JSON object has come that arrives in pieces. It is believed to be one: nothing is checked. */
export class JsonProgress {
  #depth = 0
  #isInString = false
  #isEscaped = false
  /** The last character that was neither in a string nor white space. */
  #last = 0

  /** The last bracket is closed: nothing of the object can follow. */
  get isComplete(): boolean {
    return this.#depth === 0 && this.#last === CLOSE_BRACE
  }

  /** Whether another object may begin here, within this one. */
  get mayHoldObject(): boolean {
    return !this.#isInString && (this.#last === COLON || this.#last === COMMA || this.#last === OPEN_BRACKET)
  }

  restart(): void {
    this.#depth = 0
    this.#isInString = false
    this.#isEscaped = false
    this.#last = 0
  }

  add(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const character = text.charCodeAt(at)
      if (this.#isInString) this.#inString(character)
      else if (character > SPACE) this.#outside(character)
    }
  }

  #inString(character: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (character === BACKSLASH) this.#isEscaped = true
    else if (character === QUOTE) this.#isInString = false
  }

  #outside(character: number): void {
    this.#last = character
    if (character === QUOTE) this.#isInString = true
    else if (character === OPEN_BRACE || character === OPEN_BRACKET) this.#depth += 1
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET) this.#depth -= 1
  }
}

const SPACE = 0x20
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_BRACKET = 0x5b
const BACKSLASH = 0x5c
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
