interface NamedCall {
  readonly name: string
  /** Where it stands in the client's body. */
  readonly at: string
}

/**
 * Which call of a conversation a result is for. Where calls have no ids they are told by their names and their order, as
 * Google does. Ids that are made up come from the place of the call, so that the same conversation gets the same ids with
 * each request and an upstream's prompt cache holds.
 */
export class CallIds {
  /** Calls of the latest answer that have no result yet. */
  #open: { readonly id: string; readonly name: string }[] = []

  /** Results are for calls of the answer before them. */
  beginAnswer(): void {
    this.#open = []
  }

  ofCall(given: string | null, call: NamedCall): string {
    const id = given === null || given === '' ? idByPlace(call) : given
    this.#open.push({ id, name: call.name })
    return id
  }

  ofResult(given: string | null, result: NamedCall): string {
    const isNamed = given !== null && given !== ''
    const found = this.#open.findIndex(({ id, name }) => (isNamed ? id === given : name === result.name))
    const [call] = found < 0 ? [] : this.#open.splice(found, 1)
    return call?.id ?? (isNamed ? given : idByPlace(result))
  }
}

/** `contents[3].parts[1].functionCall` is `call_3_1`. */
function idByPlace({ at }: NamedCall): string {
  return `call_${at.match(/\d+/g)?.join('_') ?? '0'}`
}
