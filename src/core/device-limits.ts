import { DAY_MS } from './durations.ts'

/** Programs that wait for approval, from one network and in all: each is a row that lives for ten minutes. */
export const DEVICE_REQUESTS_OF_NETWORK_LIMIT = 30
export const DEVICE_REQUESTS_LIMIT = 10_000
/** Devices that an account is signed in on; they do not count as API keys. */
export const DEVICES_OF_ACCOUNT_LIMIT = 20
/** Secrets of a device for clients that take none of its tokens. */
export const SECRETS_OF_DEVICE_LIMIT = 20

/** An access token is good for so long, and then a refresh token is needed. */
export const DEVICE_ACCESS_MS = 3_600_000
/** How long a device stays signed in: that is not used, in all, and that was approved and never used. */
export const DEVICE_UNUSED_MS = 30 * DAY_MS
export const DEVICE_LIFE_MS = 180 * DAY_MS
export const DEVICE_NEVER_USED_MS = DAY_MS
/** The answer to a refresh may be lost: the token before gets the same successor for so long. */
export const REFRESH_GRACE_MS = 60_000
