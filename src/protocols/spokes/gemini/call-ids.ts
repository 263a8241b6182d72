interface NamedCall {
  readonly name: string
  /** Where it stands in the client's body. */
  readonly at: string
}

/**
 * Finds the call of a conversation that a result is for. Where calls have no ids they are matched by their names and their order, as
 * Google does. Ids that are made up come from the place of the call, so that the same conversation gets the same ids with
 * each request and an upstream's prompt cache holds.
 */
export class CallIds {
  /** Calls of the latest answer that have no result yet, by id and by name, the earlier ones first. */
  #byId = new Map<string, OpenCalls>()
  #byName = new Map<string, OpenCalls>()

  /** Results are for calls of the answer before them. */
  beginAnswer(): void {
    this.#byId = new Map()
    this.#byName = new Map()
  }

  ofCall(given: string | null, call: NamedCall): string {
    const id = given === null || given === '' ? idByPlace(call) : given
    const open = { id, isOpen: true }
    listIn(this.#byId, id).calls.push(open)
    listIn(this.#byName, call.name).calls.push(open)
    return id
  }

  ofResult(given: string | null, result: NamedCall): string {
    const isNamed = given !== null && given !== ''
    const call = isNamed ? nextOpen(this.#byId.get(given)) : nextOpen(this.#byName.get(result.name))
    if (call !== null) call.isOpen = false
    return call?.id ?? (isNamed ? given : idByPlace(result))
  }
}

interface OpenCall {
  readonly id: string
  isOpen: boolean
}

/** Calls of which those before `next` are not open any more. A conversation may have more calls than a search through all can pay for. */
interface OpenCalls {
  readonly calls: OpenCall[]
  next: number
}

function listIn(map: Map<string, OpenCalls>, key: string): OpenCalls {
  const known = map.get(key)
  if (known !== undefined) return known
  const list: OpenCalls = { calls: [], next: 0 }
  map.set(key, list)
  return list
}

function nextOpen(list: OpenCalls | undefined): OpenCall | null {
  if (list === undefined) return null
  while (list.calls[list.next]?.isOpen === false) list.next += 1
  return list.calls[list.next] ?? null
}

/** `contents[3].parts[1].functionCall` is `call_3_1`. */
function idByPlace({ at }: NamedCall): string {
  return `call_${at.match(/\d+/g)?.join('_') ?? '0'}`
}
