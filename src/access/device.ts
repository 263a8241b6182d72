import type { DeviceTerms } from '../core/device-limits.ts'
import type { Change } from './changes.ts'

/**
 * A signed-in device: an API key that a person approved for a program on a machine of theirs, instead of copying a secret. Its
 * settings, limits and money are its key's; here is what is its own. Epoch milliseconds, as in every `…At`.
 */
export interface Device {
  /** The id of its API key. */
  readonly keyId: string
  readonly accountId: string
  /** What the program and the machine say they are: never proved. */
  readonly client: string
  readonly machine: string
  readonly approvedAt: number
  /** The addresses from which it asked, and from which it was approved. */
  readonly askedFrom: string
  readonly approvedFrom: string
  /** Refresh tokens are derived from this and `refreshCount`; neither is a secret by itself. */
  readonly refreshSalt: string
  /** How often the token was replaced: the number of the one that works. */
  readonly refreshCount: number
  /** When and from where it was replaced last; null: never. */
  readonly refreshedAt: number | null
  readonly refreshedFrom: string | null
  /** The number of the last token that was given again to the one before when its minute was over; null: none was. */
  readonly lateCount: number | null
}

/** When a device is signed out, however much it is used. */
export function endOfDevice({ approvedAt }: Pick<Device, 'approvedAt'>, terms: Pick<DeviceTerms, 'longestMs'>): number {
  return approvedAt + terms.longestMs
}

/** A secret of a device for a client that takes none of its tokens: stored there, and ended with the device at the latest. */
export interface DeviceSecret {
  readonly id: string
  readonly keyId: string
  /** The client that it is for. */
  readonly client: string
  /** First ten and last four characters, for display. */
  readonly secretStart: string
  readonly secretEnd: string
  readonly createdAt: number
}

/** A program that asks for a sign-in, from its first request until a person has decided. */
export interface DeviceRequest {
  /** Hashes of the code that the program polls with, and of the one that the person compares. */
  readonly codeHash: string
  readonly userCodeHash: string
  readonly client: string
  readonly machine: string
  readonly askedFrom: string
  /** What `addressKey` makes of it. */
  readonly askedNetwork: string
  readonly askedAt: number
  readonly expiresAt: number
  readonly state: DeviceRequestState
  /** The key that was made for it; null: it is not approved. */
  readonly keyId: string | null
  /** When its tokens were given out first; null: they were not yet. */
  readonly redeemedAt: number | null
  /** When the program polled last, and how long it is to wait between two polls. */
  readonly polledAt: number
  readonly intervalMs: number
}

export type DeviceRequestState = 'pending' | 'approved' | 'denied'

/** What the program is answered when it polls. */
export type PollAnswer =
  | { readonly kind: 'unknown' | 'pending' | 'too_fast' | 'denied' | 'expired' }
  | { readonly kind: 'approved'; readonly device: Device }

/** What a refresh token comes to. `again`: the answer to its use was lost, and its successor is the same. */
export type RefreshAnswer =
  | { readonly kind: 'renewed' | 'again'; readonly device: Device }
  | { readonly kind: 'ended' }
  /** Used again after its successor: one of the two who have it is a stranger, so the device is to be signed out. */
  | { readonly kind: 'reused'; readonly device: Device }

export interface DeviceStore {
  /** Keeps a request, unless there are as many as there may be. `ofNetwork`: of those from the same network whose time is not over. */
  ask(request: DeviceRequest, most: { readonly ofNetwork: number; readonly ofAll: number }): Promise<boolean>
  /** The request that shows this code; null: there is none, or its time is over. */
  requestOf(userCodeHash: string, nowMs: number): Promise<DeviceRequest | null>
  /** Answers a program that waits, and notes that it asked: one that asks too fast is to wait longer from then on. */
  poll(codeHash: string, nowMs: number): Promise<PollAnswer>
  /** Decides a pending request once; false: it is decided already, or its time is over. */
  decide(
    userCodeHash: string,
    decision: { readonly state: 'denied' } | { readonly state: 'approved'; readonly device: Device },
    nowMs: number,
  ): Promise<boolean>
  find(keyId: string): Promise<Device | null>
  /** Lists those that are signed in, the newest first. */
  list(accountId: string): Promise<readonly Device[]>
  /** Replaces the refresh token with the number `count` by the next one. Of several at once, all get the same successor. */
  refresh(use: RefreshUse): Promise<RefreshAnswer>
  /** Writes the alert to its owner that an earlier refresh token was used again; once for each device. */
  alertReused(keyId: string, nowMs: number): Promise<void>
  /** Stores a secret of a device, unless it has as many as it may have or its key is deleted. */
  addSecret(secret: DeviceSecret, secretHash: string, most: number): Promise<boolean>
  secretsOf(keyIds: readonly string[]): Promise<readonly DeviceSecret[]>
  /** null: the device has no such secret. */
  deleteSecret(keyId: string, id: string): Promise<Change | null>
  /** The keys of devices that are over by now, and of those that were approved and never used: they are to be deleted. */
  due(
    at: { readonly nowMs: number; readonly neverUsedMs: number } & Pick<DeviceTerms, 'unusedMs' | 'longestMs'>,
    limit: number,
  ): Promise<readonly string[]>
  /** Deletes requests whose time is over, `limit` at most. */
  forgetRequests(nowMs: number, limit: number): Promise<number>
}

export interface RefreshUse extends Pick<DeviceTerms, 'unusedMs' | 'longestMs'> {
  readonly keyId: string
  readonly count: number
  readonly nowMs: number
  readonly from: string
  /**
   * How long the token before gets the same successor, however often it asks. Later it gets it as well, since an answer may be
   * lost for longer (decision 0178), but not with two tokens in a row.
   */
  readonly graceMs: number
}
