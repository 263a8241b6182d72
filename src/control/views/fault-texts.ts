import type { FaultCode } from '../../core/faults.ts'

/**
 * What a fault means and what to do about it, for whoever finds it in a usage record: the words that the caller got are not
 * kept. English; the console has its own sentences in the reader's language.
 */
export const FAULT_TEXTS: Readonly<Record<FaultCode, string>> = {
  key_missing: 'No API key was sent. Send it as "Authorization: Bearer" or as "x-api-key".',
  key_malformed: 'The API key was damaged on its way: copy the whole of it again, without blanks or line breaks.',
  key_unknown: 'There is no API key with this secret. Copy it again, or make a new one.',
  key_deleted: 'The API key was deleted. Use another one.',
  key_disabled: 'The API key is disabled. Enable it, or use another one.',
  key_expired: 'The API key has expired. Give it a later end, or use another one.',
  account_disabled: 'The account of the API key is disabled. Ask an admin.',
  ip_not_allowed: 'The API key may not be used from that address. Add the address to its list, or empty the list.',
  group_disabled: 'The group of the API key is disabled. Use a key of another group, or ask an admin to enable it.',
  group_forbidden: 'The group of the API key needs a plan that covers it, and none was running.',
  model_not_in_group: "The model is not in the API key's groups. Use a key of a group that has it.",
  model_not_allowed: 'The API key is limited to certain models, and this one is not among them.',
  model_unknown: 'There is no model of this name. Check how it is written: GET /v1/models lists those of the key.',
  balance_exhausted: 'The balance did not hold enough for the request. Top it up.',
  key_quota_exhausted: 'The quota of the API key did not hold enough. Raise it, or wait until it resets.',
  subscription_quota_exhausted: 'Neither the subscription nor the balance held enough. Top up, or wait for the reset.',
  credential_throttled: 'Too many wrong keys came from that address.',
  rate_limited: 'A limit of the API key was reached. Send fewer requests, or raise the limit.',
  request_invalid: 'The request could not be understood. Check it against the documentation of its protocol.',
  body_too_large: 'The request was larger than the gateway takes. Send less at a time.',
  base_url_wrong: 'The base URL has the path of an endpoint in it. Enter the base URL alone.',
  path_unknown: 'The gateway has nothing at that path. Check the base URL of the program.',
  model_unpriced: 'The model has no price yet, so it is not served. Ask an admin to set one.',
  upstream_rejected: 'The model refused the request itself: it said so in its answer.',
  upstream_rate_limited: 'The model had too many requests. Try again in a moment.',
  upstream_overloaded: 'The model was overloaded. Try again in a moment.',
  upstream_unavailable: 'The model could not be reached. Try again; if it stays, tell an admin.',
  upstream_malformed: 'The model answered with something that cannot be read. Try again; if it stays, tell an admin.',
  upstream_timeout: 'The model did not answer in time. Try again, or ask for less.',
  draining: 'The gateway was shutting down. Send the request again.',
  store_unavailable: 'The gateway could not reach its database. Send the request again.',
  internal: 'The gateway failed. Give the request id to an admin.',
}
