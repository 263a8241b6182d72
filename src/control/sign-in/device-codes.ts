import { addressKey } from '../../access/address-key.ts'
import type { DeviceRequest, DeviceStore } from '../../access/device.ts'
import { readUserCode } from '../../access/device-tokens.ts'
import type { Clock } from '../../core/clock.ts'
import type { Account } from '../../access/account.ts'
import { Problem } from '../problem.ts'
import { TryCount } from './throttles.ts'

const WRONG_CODES = 10
const WINDOW_MS = 600_000

/**
 * Finds the programs that wait for approval by the codes that they show. Wrong codes are counted by account and by network, on
 * each node by itself: of 20⁸ codes 10,000 at most are good at one time.
 */
export class DeviceCodes {
  readonly #byAccount: TryCount
  readonly #byNetwork: TryCount

  constructor(clock: Clock) {
    const bound = { limit: WRONG_CODES, windowMs: WINDOW_MS }
    this.#byAccount = new TryCount(clock, bound)
    this.#byNetwork = new TryCount(clock, bound)
  }

  /** The pending request that shows this code. Throws Problem; one and the same for all codes that none shows. */
  async find(
    text: string,
    call: { readonly account: Account; readonly address: string; readonly nowMs: number },
    { devices, hash }: { readonly devices: Pick<DeviceStore, 'requestOf'>; hash(code: string): string },
  ): Promise<{ readonly code: string; readonly request: DeviceRequest }> {
    const network = addressKey(call.address)
    const why = 'Too many codes were wrong.'
    this.#byAccount.spend(call.account.id, why)
    this.#byNetwork.spend(network, why)
    const code = readUserCode(text)
    const request = code === null ? null : await devices.requestOf(hash(code), call.nowMs)
    if (code === null || request?.state !== 'pending') throw unknownCode()
    this.#byAccount.giveBack(call.account.id)
    this.#byNetwork.giveBack(network)
    return { code, request }
  }
}

function unknownCode(): Problem {
  return new Problem(
    'not_found',
    'No sign-in waits with this code. It may be over, or decided already: begin again in the program, and compare the code.',
  )
}
