import type { FaultFacts } from '../core/fact-values.ts'
import { type FaultCode, isFaultCode } from '../core/faults.ts'
import { withOneLocalName } from './base-url.ts'

/** A row of the table of faults that a text showed, with what is particular to it. */
export interface FoundFault {
  readonly code: FaultCode
  readonly facts: FaultFacts
}

const MOST_FOUND = 5
const LONGEST_FOUND = 4_000
const LONGEST_FACT = 120

/**
 * Reads what a link to a diagnosis carries. Anyone can write such a link: what has not its form is left out, and so is every
 * address but this gateway's, since readers are advised to enter it. `origin`: of this gateway.
 */
export function readFoundFaults(text: string, { origin }: { readonly origin: string }): readonly FoundFault[] {
  if (text.length > LONGEST_FOUND) return []
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value.slice(0, MOST_FOUND).flatMap((each) => readOne(each, origin)) : []
  } catch {
    return []
  }
}

function readOne(value: unknown, origin: string): readonly FoundFault[] {
  if (typeof value !== 'object' || value === null || !('code' in value) || !('facts' in value)) return []
  const { code, facts } = value
  if (typeof code !== 'string' || !isFaultCode(code) || typeof facts !== 'object' || facts === null) return []
  const known = Object.entries(facts).filter(
    ([name, fact]) =>
      /^[a-z_]{1,40}$/.test(name) &&
      name !== 'said' &&
      (isPlain(fact) || (name === 'served' && isListOfEndpoints(fact))) &&
      isOfHere(fact, origin),
  )
  return [{ code, facts: Object.fromEntries(known) as FaultFacts }]
}

function isPlain(fact: unknown): boolean {
  if (Array.isArray(fact)) return fact.length <= 5 && fact.every((each) => typeof each === 'string' && isPlain(each))
  return typeof fact === 'string' ? fact.length <= LONGEST_FACT : ['number', 'boolean'].includes(typeof fact)
}

/** Longer than other facts are, and of a form in which nothing else can be said. */
function isListOfEndpoints(fact: unknown): boolean {
  return typeof fact === 'string' && fact.split(/ and |, /).every((each) => ENDPOINT.test(each))
}

const ENDPOINT = /^(?:(?:POST|GET|DELETE) )?[/:][\w/:{}.-]{1,60}$/

function isOfHere(fact: unknown, origin: string): boolean {
  const text = JSON.stringify(fact).replaceAll('/v1"', '"')
  return !text.includes('//') || withOneLocalName(text) === withOneLocalName(JSON.stringify(origin))
}
