import type { FaultTexts } from './fault-text.ts'

/** Generated from docs/errors/*.md by test/architecture/fault-texts.test.ts: edit the front matter there. */
export const texts: FaultTexts = {
  key_missing: {
    title: 'No API key sent',
    cause: 'The request had no API key in any header that the gateway reads.',
    remedy:
      'Enter the API key in the client. It must arrive as “Authorization: Bearer”, “x-api-key” or “x-goog-api-key”, never in the URL.',
  },
  key_malformed: {
    title: 'Invalid API key format',
    cause:
      'What was sent cannot be a key of this gateway. Characters are missing or changed, or spaces or quotation marks were copied along.',
    remedy: 'Copy the whole key again, as one line. If you no longer have it, rotate the key to get a new secret.',
  },
  key_unknown: {
    title: 'Unknown API key',
    cause:
      'No key on this gateway has this secret. It is often a provider’s own key, or one left over from an earlier setup.',
    remedy:
      'Enter a key of this gateway in the client, and check its settings and environment variables for an old one.',
  },
  key_deleted: {
    title: 'API key deleted',
    cause: 'This key was deleted, which cannot be undone.',
    remedy: 'Create a new key and enter it in the client.',
  },
  key_disabled: {
    title: 'API key disabled',
    cause: 'This key is disabled.',
    remedy:
      'Enable it on the API keys page, and the same secret works again at once. If it was disabled because it leaked, create a new key instead.',
  },
  key_expired: {
    title: 'API key expired',
    cause: 'The key’s expiry date has passed, or its secret was replaced by a rotation.',
    remedy:
      'Extend the expiry on the API keys page; the secret stays the same. After a rotation, enter the new secret instead.',
  },
  account_disabled: {
    title: 'Account disabled',
    cause: 'The account that owns this key is disabled, so none of its keys work.',
    remedy: 'Ask an admin to enable the account, and give them the request ID.',
  },
  ip_not_allowed: {
    title: 'IP address not allowed',
    cause: 'This key can be used only from certain IP addresses, and the request came from a different one.',
    remedy:
      'Add the address, or its whole range if it changes, to the key’s allowed IPs on the API keys page. A VPN or IPv6 is often the reason.',
  },
  group_disabled: {
    title: 'Group disabled',
    cause: 'The key’s group is disabled, and none of its fallback groups is available.',
    remedy: 'Move the key to another group on the API keys page, or ask an admin to enable the group.',
  },
  group_forbidden: {
    title: 'Group requires a plan',
    cause: 'The key’s group requires a plan that opens it, and this account has no active subscription to one.',
    remedy: 'Renew the subscription or redeem a code on the Billing page, or move the key to another group.',
  },
  model_not_in_group: {
    title: 'Model not in group',
    cause: 'The model exists, but none of this key’s groups includes it.',
    remedy:
      'Choose a model that this key can call, or move the key to a group that includes this one. The Models page shows both.',
  },
  model_not_allowed: {
    title: 'Model not allowed for this key',
    cause: 'This key is limited to certain models, and this one is not among them.',
    remedy:
      'Add the model to the key’s allowed models on the API keys page, or use another key. Many clients also call a second, smaller model, which must be allowed too.',
  },
  model_unknown: {
    title: 'Model not found',
    cause:
      'No model on this gateway has this name. It is often the client’s default model, or a name with a prefix that the client added.',
    remedy: 'Copy a model name from the Models page into the client, and do the same for its second, smaller model.',
  },
  balance_exhausted: {
    title: 'Insufficient balance',
    cause:
      'The balance does not cover the most that this request may cost, which is reserved before the request is sent.',
    remedy:
      'Top up the balance. If some is left, ask for fewer output tokens, stream the response, or send fewer requests at once.',
  },
  key_quota_exhausted: {
    title: 'Key quota used up',
    cause: 'The key has its own spending quota, and this request could exceed it.',
    remedy: 'Raise the quota on the API keys page, or wait for its reset if it has one. Check the key’s usage first.',
  },
  subscription_quota_exhausted: {
    title: 'Subscription quota used up',
    cause: 'One of the subscription’s limits is used up, and the balance does not cover the request instead.',
    remedy: 'Wait for the limit to reset, at the time shown on the Billing page, or top up the balance.',
  },
  credential_throttled: {
    title: 'Too many invalid keys',
    cause:
      'More than 120 requests with invalid keys came from this IP address within a minute, so further keys that could be guesses are rejected without being checked.',
    remedy:
      'Stop the client that keeps retrying, and correct its key. Generated keys, and custom keys that were used from this address before, keep working; other custom keys work again when the minute is over.',
  },
  rate_limited: {
    title: 'Key rate limit reached',
    cause: 'The key has a limit on requests, tokens, concurrency or spending, and this request would exceed it.',
    remedy:
      'Send fewer requests at once, wait as long as the response says unless the limit is 0, or raise the limit on the API keys page.',
  },
  request_invalid: {
    title: 'Invalid request',
    cause:
      'The gateway could not read what it needs from the request, such as the model, the stream setting, the output limit or the JSON itself.',
    remedy: 'Correct the field that the message names. If the client created the request, update the client.',
  },
  body_too_large: {
    title: 'Request too large',
    cause: 'The request body is larger than 32 MB, the most that this gateway accepts.',
    remedy:
      'Make images and files smaller, or start a new conversation, since agents send the whole history with every turn.',
  },
  base_url_wrong: {
    title: 'Wrong base URL',
    cause: 'The client’s base URL contains the full path of an endpoint, and the client appended its own path to it.',
    remedy: 'Enter only the base URL. The API keys page shows both forms, with and without /v1.',
  },
  path_unknown: {
    title: 'Path not found',
    cause: 'The gateway has no endpoint at this path, or the endpoint takes a different HTTP method.',
    remedy:
      'Compare the client’s base URL with the one on the API keys page, and choose “OpenAI-compatible”, “Anthropic” or “Gemini” as the provider type.',
  },
  model_unpriced: {
    title: 'Model has no price',
    cause: 'No price has been set for this model, so the gateway does not serve it.',
    remedy: 'Choose another model, or ask an admin to set a price.',
  },
  upstream_rejected: {
    title: 'Rejected by the provider',
    cause:
      'The model’s provider rejected the request, usually because it is too long or uses a setting that the model does not support.',
    remedy: 'Follow the provider’s message. Shorten or compact the conversation, or remove the setting that it names.',
  },
  upstream_rate_limited: {
    title: 'Provider rate limit reached',
    cause: 'The provider is limiting requests from this gateway. This is not a limit of your key.',
    remedy: 'Wait a moment and try again, with fewer requests at once. If it lasts for hours, tell an admin.',
  },
  upstream_overloaded: {
    title: 'Provider overloaded',
    cause: 'The provider is overloaded, and no target of this model could serve the request.',
    remedy: 'Try again in a moment, or use another model.',
  },
  upstream_unavailable: {
    title: 'Provider unavailable',
    cause:
      'The provider could not be reached, returned an error that is not about your request, or broke off its response.',
    remedy:
      'Try again, unless the message says that an admin has to act. If it keeps failing, give an admin the request ID.',
  },
  upstream_malformed: {
    title: 'Unreadable response',
    cause: 'The provider sent a response that the gateway could not read.',
    remedy: 'Try again, and stream very large responses. If it keeps happening, tell an admin.',
  },
  upstream_timeout: {
    title: 'Provider timed out',
    cause: 'The provider did not start, continue or finish its response in time.',
    remedy: 'Try again, ask for less at a time, or lower the reasoning effort.',
  },
  draining: {
    title: 'Gateway restarting',
    cause: 'While shutting down, the gateway refuses new requests, and ends those that take too long to finish.',
    remedy: 'Try again in a moment. Most clients do so automatically.',
  },
  store_unavailable: {
    title: 'Database unavailable',
    cause: 'The gateway could not reach its database, and does not serve requests without it.',
    remedy: 'Try again in a moment. If it keeps happening, tell an admin.',
  },
  internal: {
    title: 'Internal error',
    cause: 'An unexpected error occurred in the gateway.',
    remedy: 'Give an admin the request ID, so that they can find the error in the log.',
  },
}
