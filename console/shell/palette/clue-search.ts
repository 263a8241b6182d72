import { type Answered, isAnswerer } from '../../../src/causes/answerers.ts'
import { CLOUD_REFUSALS } from '../../../src/causes/cloud-refusals.ts'
import { isConnectionFailure } from '../../../src/causes/connection-failures.ts'
import { readFoundFaults } from '../../../src/causes/found-faults.ts'
import { type Clues, NOTHING, SEEN } from '../../../src/causes/clues.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { CHAT_WIRES } from '../../format/wire-names.ts'
import { hasClues, PERHAPS } from './clue-address.ts'

/** The clues in the page's address; null: it has none. Whatever does not have its form is left out: anyone can write a link. */
export function readClues(search: FlatSearch, here: { readonly origin: string }): Clues | null {
  const { request, key, model, protocol, status, failure, answered, cloud, elsewhere, found, seen } = search
  if (!hasClues(search)) return null
  return {
    ...NOTHING,
    request: fits(request, /^req_\w{1,60}$/),
    end: fits(key, /^(?:key_\w{1,60}|[\w-]{4})$/),
    model: fits(model, /^.{1,200}$/s),
    protocol: (CHAT_WIRES.find((wire) => wire === protocol) as Clues['protocol'] | undefined) ?? null,
    status: /^[345]\d\d$/.test(status ?? '') ? Number(status) : null,
    failure: failure !== undefined && isConnectionFailure(failure) ? failure : null,
    answered: answered === undefined ? null : readAnswered(answered),
    cloud: CLOUD_REFUSALS.find((name) => name === cloud) ?? null,
    elsewhere: fits(elsewhere, /^https?:\/\/[^/?#@\s]{1,200}$/),
    found: found === undefined ? [] : readFoundFaults(found, here),
    seen: SEEN.filter((what) => (seen ?? '').split('.').includes(what)),
  }
}

function readAnswered(text: string): Answered | null {
  const by = text.endsWith(PERHAPS) ? text.slice(0, -PERHAPS.length) : text
  return isAnswerer(by) ? { by, isSure: by === text } : null
}

function fits(value: string | undefined, form: RegExp): string | null {
  return value !== undefined && form.test(value) ? value : null
}
