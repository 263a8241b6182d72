import type { ClientRequest } from '../client-connection.ts'
import type { ApiKey } from '../../access/api-key.ts'
import { displayParts } from '../../access/key-secret.ts'
import type { KeyStore } from '../../access/key-store.ts'
import { keyOfSetupMark, SETUP_MARK_HEADER } from '../../access/setup-mark.ts'
import type { UnknownTryLog } from '../../access/unknown-tries.ts'
import type { Clock } from '../../core/clock.ts'
import { CountsInWindow } from '../../core/counts-in-window.ts'
import type { Fault, FaultCode } from '../../core/faults.ts'
import { CREDENTIAL_LIMIT_CHARACTERS } from '../../core/limits.ts'
import type { Wire, WireFamily } from '../../core/wire.ts'
import { faultStatus } from '../../protocols/fault-body.ts'
import { type CallerFinder, findCaller, presentedSecret } from './caller.ts'
import type { RefusalLog } from './refusal-log.ts'
import { clientName, recordOf, withoutCost } from '../request/record.ts'

/** Each costs a look-up, from any caller; more than this a minute, of all together, are not looked at. */
const LOOKUPS_PER_MINUTE = 600
/** Knowing how a secret begins must not be enough to fill its owner's records. */
const TRIES_OF_KEY_PER_MINUTE = 10
const WINDOW_MS = 60_000

interface FailedAuthParts {
  readonly keys: Pick<KeyStore, 'findByStart' | 'findById'>
  readonly refusals: RefusalLog
  readonly callers: CallerFinder
  readonly clock: Clock
  readonly unknownTries: UnknownTryLog
}

/** A request that failed before it was known whose it is. */
export interface FailedTry {
  readonly id: string
  /** Epoch milliseconds. */
  readonly createdAt: number
  /** `Clock.elapsed` at arrival. */
  readonly startedAt: number
  readonly request: ClientRequest
  /** null: its path says none. */
  readonly wire: Wire | null
  /** The family of wires in whose shape it was answered. */
  readonly family: WireFamily
}

/**
 * Records attempts to call that failed before a key was known where the right person sees them. A secret that is none, and
 * begins with the ten characters that are shown of a key, is most likely that key with a mistake in it: the try is recorded
 * as refused under that key. So is a try with another vendor's key or with none whose command was copied from the page of a
 * key (`setup-mark.ts`), and a path that means nothing is recorded under the key that came with it. What belongs to no key
 * is noted for the address that it came from. No request waits for either, the caller's answer is the same, and nothing of
 * the secret is kept.
 */
export class FailedAuthLog {
  readonly #parts: FailedAuthParts
  readonly #lookups: CountsInWindow
  readonly #tries: CountsInWindow

  constructor(parts: FailedAuthParts) {
    this.#parts = parts
    this.#lookups = new CountsInWindow(parts.clock, { windowMs: WINDOW_MS, mostNames: 1 })
    this.#tries = new CountsInWindow(parts.clock, { windowMs: WINDOW_MS, mostNames: LOOKUPS_PER_MINUTE })
  }

  /** Resolves when it is recorded, or cannot be. Never rejects. */
  async wrongKey(failed: FailedTry, fault: Fault, address: string): Promise<void> {
    if (!WITHOUT_KEY.has(fault.code)) return
    const start = IS_LIKE_A_KEY.has(fault.code) ? startIn(presentedSecret(failed.request.headers)) : null
    await this.#attribute(failed, fault, { address, start })
  }

  /** Likewise. `address`: where the request came from; bad keys count there as on any path. */
  async wrongPath(failed: FailedTry, fault: Fault, address: string): Promise<void> {
    if (presentedSecret(failed.request.headers) === null)
      return this.#attribute(failed, fault, { address, start: null })
    if (!this.#mayLookUp()) return
    try {
      const { key } = await findCaller(failed.request, address, this.#parts.callers)
      this.#record(failed, key, fault)
    } catch {
      // Its key is wrong as well, and that is another mistake.
      await this.#attribute(failed, fault, { address, start: null })
    }
  }

  /** Records a try under the key that it begins like, or that its mark names; else for its address. Never rejects. */
  async #attribute(
    failed: FailedTry,
    fault: Fault,
    { address, start }: { readonly address: string; readonly start: string | null },
  ): Promise<void> {
    const { keys, callers, clock } = this.#parts
    const marked = keyOfSetupMark(failed.request.headers[SETUP_MARK_HEADER], clock.now(), callers.hashSecret)
    if (start === null && marked === null) return this.#noteUnknown(failed, fault, address)
    if (!this.#mayLookUp()) return
    // Where the database is away, callers that wait for an answer learn it elsewhere.
    const alike = start === null ? null : await keys.findByStart(start).catch(() => null)
    const key = alike ?? (marked === null ? null : await keys.findById(marked).catch(() => null))
    if (key === null) this.#noteUnknown(failed, fault, address)
    else if (this.#hasRoom(key.id)) this.#record(failed, key, fault)
  }

  /** Others may share the address, so the end of what was presented is left out. */
  #noteUnknown({ id, createdAt, request }: FailedTry, fault: Fault, address: string): void {
    const { end: _, ...facts } = fault.details.facts ?? {}
    const client = clientName(request.headers['user-agent'])
    this.#parts.unknownTries.note(address, { id, createdAt, fault: fault.code, facts, client })
  }

  #record(failed: FailedTry, key: ApiKey, fault: Fault): void {
    const trace = {
      ...failed,
      client: clientName(failed.request.headers['user-agent']),
      model: null,
      isStream: false,
      chosen: null,
      attempts: [],
      credentialName: null,
      routing: null,
      target: null,
      firstByteAt: null,
      limits: null,
    }
    const ending = withoutCost('refused', fault, faultStatus(failed.family, fault))
    const owner = { key, account: { id: key.accountId } }
    this.#parts.refusals.write(recordOf(trace, owner, { ending, endedAt: this.#parts.clock.elapsed() }))
  }

  #mayLookUp(): boolean {
    return this.#lookups.add('all').count <= LOOKUPS_PER_MINUTE
  }

  #hasRoom(keyId: string): boolean {
    return this.#tries.add(keyId).count <= TRIES_OF_KEY_PER_MINUTE
  }
}

/** Faults of requests of which no key is known. */
const WITHOUT_KEY: ReadonlySet<FaultCode> = new Set([
  'key_missing',
  'key_unknown',
  'key_malformed',
  'credential_throttled',
])
const IS_LIKE_A_KEY: ReadonlySet<FaultCode> = new Set(['key_unknown', 'key_malformed'])

const SHOWN_CHARACTERS = 10
/** The beginning alone shows nothing of what should follow. */
const SECRET_AT_LEAST = SHOWN_CHARACTERS + 2

/** The shown beginning of the secret in what was presented, whatever stands around it; null where there can be none. */
function startIn(presented: string | null): string | null {
  if (presented === null || presented.length > CREDENTIAL_LIMIT_CHARACTERS) return null
  const generated = /sk-tg-[A-Za-z0-9]{6}/.exec(presented)
  const text = generated === null ? presented.trim() : presented.slice(generated.index)
  if (text.length < SECRET_AT_LEAST || !/^[A-Za-z0-9_-]{10}/.test(text)) return null
  return displayParts(text).start
}
