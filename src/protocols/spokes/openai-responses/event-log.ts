/** Events of one stream, numbered from 0. */
export class EventLog {
  #next = 0

  /** The number of the last event; 0 before the first. */
  get last(): number {
    return Math.max(0, this.#next - 1)
  }

  /** `fields` is JSON without its braces. */
  event(type: string, fields: string): string {
    const number = this.#next
    this.#next += 1
    return `event: ${type}\ndata: {"type":"${type}","sequence_number":${number},${fields}}\n\n`
  }
}
