import type { FaultCode } from '../../core/faults.ts'

/** What to do about each fault, for whoever stands before a client that does not work. */
export const REMEDIES: Readonly<Record<FaultCode, string>> = {
  key_missing: 'Give the client the API key; it sends it as "Authorization: Bearer", "x-api-key" or "x-goog-api-key".',
  key_malformed: 'Copy the key again, as one line, from where it was shown when it was created.',
  key_unknown: 'Use a key of this gateway: "tollgate key list" shows the beginning and end of each.',
  key_deleted: 'A deleted key never comes back: create a new one.',
  key_disabled: 'Enable it with "tollgate key enable", or use another key.',
  key_expired: 'Give it a later expiry, or create a new key.',
  account_disabled: 'The account has to be enabled by an admin.',
  ip_not_allowed: 'Add this machine’s address to the key’s allowed IPs, or call from one that is allowed.',
  group_disabled: 'An admin has to enable the group, or the key has to move to another one.',
  group_forbidden:
    'Give the account a plan that covers the group ("tollgate subscription create"), or use a key of an open group.',
  model_not_in_group: 'Add the model to the key’s group, or call one that the list of models shows.',
  model_not_allowed: 'Add the model to the key’s allowed models, or call one that the list of models shows.',
  model_unknown: 'Correct the model’s name: the list of models shows those there are.',
  balance_exhausted: 'Add to the account’s balance: "tollgate account credit".',
  key_quota_exhausted: 'Raise the key’s quota, or wait for its reset.',
  subscription_quota_exhausted: 'Wait for the window to reset, or add to the account’s balance.',
  credential_throttled: 'Something on this address sends wrong keys, over and over: find it and stop it.',
  rate_limited: 'Send fewer requests, or raise the key’s limits.',
  request_invalid: 'Correct the field that the message names.',
  body_too_large: 'Send less in one request: shorten the conversation or the files in it.',
  base_url_wrong: 'Enter the base URL that the message names, without the path of an endpoint.',
  path_unknown:
    'Correct the base URL: the gateway’s origin, with /v1 for OpenAI clients and without for Anthropic and Gemini ones.',
  model_unpriced: 'An admin has to give the model a price.',
  upstream_rejected: 'The provider refused the request itself: its message says why.',
  upstream_rate_limited: 'The provider’s own limit is reached: wait, or give the model another target.',
  upstream_overloaded: 'The provider is overloaded: wait, or give the model another target.',
  upstream_unavailable: 'The gateway cannot reach the provider: check the upstream’s base URL and its network.',
  upstream_malformed: 'The provider’s answer could not be read: check that the upstream’s protocol is the right one.',
  upstream_timeout: 'The provider did not answer in time: try again, or raise the upstream’s time-outs.',
  draining: 'The gateway is shutting down: try again when it is back.',
  store_unavailable: 'The gateway cannot reach its database: see its log.',
  internal: 'This is a defect of the gateway: report it with the request id.',
}

/** Whether the text is the code of a fault. */
export function isFaultCode(text: string): text is FaultCode {
  return Object.hasOwn(REMEDIES, text)
}
