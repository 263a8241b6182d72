import type { DiagnosisAsked } from '../../../src/contract/diagnosis.ts'
import { type Answered, isAnswerer } from '../../../src/causes/answerers.ts'
import { isConnectionFailure } from '../../../src/causes/connection-failures.ts'
import { readFoundFaults } from '../../../src/causes/found-faults.ts'
import { type Clues, NOTHING, SEEN } from '../../../src/causes/clues.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { CHAT_WIRES } from '../../format/wire-names.ts'

/** The clues as the page's address has them: what a link to a diagnosis shows, and no secret. */
export function writeClues(clues: Clues): FlatSearch {
  const { request, end, model, protocol, status, failure, answered, elsewhere, found, seen } = clues
  const said = {
    request,
    key: end,
    model,
    protocol,
    status: status?.toString() ?? null,
    failure,
    answered: answered === null ? null : `${answered.by}${answered.isSure ? '' : PERHAPS}`,
    elsewhere,
  }
  return {
    ...Object.fromEntries(Object.entries(said).flatMap(([name, value]) => (value === null ? [] : [[name, value]]))),
    ...(found.length === 0 ? {} : { found: JSON.stringify(found) }),
    seen: seen.length === 0 ? 'nothing' : seen.join('.'),
  }
}

/** Reads them back; null: the address has none. Whatever does not have its form is left out: anyone can write a link. */
export function readClues(search: FlatSearch, here: { readonly origin: string }): Clues | null {
  const { request, key, model, protocol, status, failure, answered, elsewhere, found, seen } = search
  if ([request, key, model, status, failure, answered, elsewhere, found, seen].every((value) => value === undefined))
    return null
  return {
    ...NOTHING,
    request: fits(request, /^req_\w{1,60}$/),
    end: fits(key, /^(?:key_\w{1,60}|[\w-]{4})$/),
    model: fits(model, /^.{1,200}$/s),
    protocol: (CHAT_WIRES.find((wire) => wire === protocol) as Clues['protocol'] | undefined) ?? null,
    status: /^[345]\d\d$/.test(status ?? '') ? Number(status) : null,
    failure: failure !== undefined && isConnectionFailure(failure) ? failure : null,
    answered: answered === undefined ? null : readAnswered(answered),
    elsewhere: fits(elsewhere, /^https?:\/\/[^/?#@\s]{1,200}$/),
    found: found === undefined ? [] : readFoundFaults(found, here),
    seen: SEEN.filter((what) => (seen ?? '').split('.').includes(what)),
  }
}

/** Follows the name of who answered where that is not sure. */
const PERHAPS = '-perhaps'

function readAnswered(text: string): Answered | null {
  const by = text.endsWith(PERHAPS) ? text.slice(0, -PERHAPS.length) : text
  return isAnswerer(by) ? { by, isSure: by === text } : null
}

/** What is asked of the gateway for them; null: nothing of it can be looked up. */
export function askedOf({ request, end, model, protocol }: Clues): DiagnosisAsked | null {
  if (request === null && end === null) return null
  return {
    ...(request === null ? {} : { request }),
    ...(end === null ? {} : { key: end }),
    ...(model === null ? {} : { model }),
    ...(protocol === null ? {} : { protocol }),
  }
}

function fits(value: string | undefined, form: RegExp): string | null {
  return value !== undefined && form.test(value) ? value : null
}
