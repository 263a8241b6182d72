import { DAY_MS } from './durations.ts'

/** Programs that wait for approval, from one network and in all: each is a row that lives for ten minutes. */
export const DEVICE_REQUESTS_OF_NETWORK_LIMIT = 30
export const DEVICE_REQUESTS_LIMIT = 10_000
/** Secrets of a device for clients that take none of its tokens. */
export const SECRETS_OF_DEVICE_LIMIT = 20

/** An access token is good for so long, and then a refresh token is needed. */
export const DEVICE_ACCESS_MS = 3_600_000
/** A device that was approved and never used stays signed in for so long. */
export const DEVICE_NEVER_USED_MS = DAY_MS
/** The answer to a refresh may be lost: the token before gets the same successor for so long. */
export const REFRESH_GRACE_MS = 60_000

/** What admins set for all devices. */
export interface DeviceTerms {
  /** Devices that an account is signed in on at once; they do not count as API keys. */
  readonly most: number
  /** How long a device stays signed in that is not used, and in all. */
  readonly unusedMs: number
  readonly longestMs: number
}
