/** What a fault code means to whoever met it. */
export interface FaultText {
  /** A few words for lists. */
  readonly title: string
  readonly cause: string
  readonly remedy: string
}

/** A text for every fault code of the gateway; a test compares the codes. */
export const faultsEn = {
  key_missing: {
    title: 'No key sent',
    cause: 'The request carried no API key in any header that the gateway reads.',
    remedy:
      'Enter the key in the client. It belongs into “Authorization: Bearer …” or “x-api-key”, never into the address.',
  },
  key_malformed: {
    title: 'Key is damaged',
    cause:
      'What was sent can’t be a key: a part is missing, a character was changed, or blanks and quotation marks came with it.',
    remedy: 'Copy the key again, whole and without anything around it. If you no longer have it, rotate it.',
  },
  key_unknown: {
    title: 'Key not known here',
    cause:
      'No key of this gateway has this secret. Often it is a vendor’s own key, or one left over from an earlier set-up.',
    remedy:
      'Put a key of this gateway into the client, and look for an old one in its settings or environment variables.',
  },
  key_deleted: {
    title: 'Key was deleted',
    cause: 'This key existed and has been deleted. That can’t be undone.',
    remedy: 'Create a new key and put it into this client.',
  },
  key_disabled: {
    title: 'Key is disabled',
    cause: 'This key was switched off.',
    remedy:
      'Enable it again on the page “API keys”; the same secret works at once. If it was disabled because it leaked, create a new one.',
  },
  key_expired: {
    title: 'Key has expired',
    cause: 'The key’s end date is past.',
    remedy: 'Give it a later date on the page “API keys”; the secret stays the same.',
  },
  account_disabled: {
    title: 'Account is disabled',
    cause: 'The account that owns this key is disabled, and with it all of its keys.',
    remedy: 'Ask an admin, and give them the request id.',
  },
  ip_not_allowed: {
    title: 'Address not allowed',
    cause: 'The key may be used from certain addresses only, and the request came from another one.',
    remedy: 'Edit the key and allow the address, or the whole range if it changes. A VPN or IPv6 often explains it.',
  },
  group_disabled: {
    title: 'Group is disabled',
    cause: 'The key’s group is switched off, and none of its fallback groups is on.',
    remedy: 'Put the key into another group, or ask an admin which one replaces it.',
  },
  group_forbidden: {
    title: 'Group needs a plan',
    cause:
      'The key’s group is for accounts with a running subscription that covers it, and this account has none at the moment.',
    remedy: 'Renew the subscription or redeem a code on the page “Billing”, or put the key into another group.',
  },
  model_not_in_group: {
    title: 'Model not in the group',
    cause: 'The model exists, but none of this key’s groups has it.',
    remedy:
      'Take a model that this key can call, or put the key into a group that has this one. The page “Models” shows which.',
  },
  model_not_allowed: {
    title: 'Model not allowed',
    cause: 'This key is limited to certain models, and this one is not among them.',
    remedy:
      'Edit the key and allow the model, or use another key. Many clients call a second, small model: allow that, too.',
  },
  model_unknown: {
    title: 'No such model',
    cause: 'There is no model of this name. Often it is the client’s default model, or a prefix that the client adds.',
    remedy: 'Copy the name from the page “Models” into the client, also for its second, small model.',
  },
  balance_exhausted: {
    title: 'Balance too small',
    cause: 'The balance does not cover what this request may cost at most. That is held before a request is sent.',
    remedy:
      'Top up the balance. If some is left: ask for fewer output tokens, use a stream, or send fewer requests at once.',
  },
  key_quota_exhausted: {
    title: 'Key’s quota is used up',
    cause: 'The key has a quota of its own, and this request may pass it.',
    remedy: 'Wait until the quota resets, or raise it on the page “API keys”. Look first at what used it up.',
  },
  subscription_quota_exhausted: {
    title: 'Subscription is used up',
    cause: 'A window of the subscription is full, and the balance does not cover the request instead.',
    remedy: 'Wait until the window opens again: the page “Billing” says when. Or put money on the balance.',
  },
  credential_throttled: {
    title: 'Too many bad keys',
    cause: 'More than 120 bad keys came from this address within a minute, so bad ones are not examined any more.',
    remedy: 'Stop the client that keeps trying and mend its key. Good keys from the same address work all the while.',
  },
  rate_limited: {
    title: 'Limit of the key reached',
    cause: 'The key has a limit on requests, tokens, parallel requests or spending, and this request would pass it.',
    remedy: 'Wait as long as the answer says, send fewer at once, or raise the limit on the page “API keys”.',
  },
  request_invalid: {
    title: 'Request not readable',
    cause:
      'The gateway could not read what it needs: the model, whether to stream, the output limits, or the JSON itself.',
    remedy: 'Mend the field that the answer names. If the client wrote the request by itself, update the client.',
  },
  body_too_large: {
    title: 'Request too large',
    cause: 'The request is larger than 32 MB, the most that this gateway carries.',
    remedy: 'Make images and files smaller, or start a new conversation: agents send all of it again with each turn.',
  },
  base_url_wrong: {
    title: 'Wrong base URL',
    cause: 'The full address of an endpoint was entered as the base URL, and the client added its path once more.',
    remedy: 'Enter only the base URL. The page “API keys” has both forms, with and without /v1.',
  },
  path_unknown: {
    title: 'No such path',
    cause: 'There is nothing at this path, or it takes another method.',
    remedy:
      'Compare the base URL with the one on the page “API keys”. Choose “OpenAI-compatible” or “Anthropic” in the client.',
  },
  model_unpriced: {
    title: 'Model has no price',
    cause: 'Nobody has said what this model costs, so it is not served: not for nothing by accident.',
    remedy: 'Take another model, and tell an admin about this one.',
  },
  upstream_rejected: {
    title: 'Refused by the provider',
    cause:
      'The model’s provider examined the request and refused it, mostly for its length or for a setting that this model does not take.',
    remedy:
      'Do what the provider’s message says: shorten or compact the conversation, or remove the setting that it names.',
  },
  upstream_rate_limited: {
    title: 'Provider limits requests',
    cause: 'The provider takes no more requests from this gateway at the moment. It is not a limit of your key.',
    remedy: 'Wait a moment and send it again, with fewer requests at once. If it lasts for hours, tell an admin.',
  },
  upstream_overloaded: {
    title: 'Provider is overloaded',
    cause: 'The provider is overloaded, and so were the other ways to this model.',
    remedy: 'Send it again in a moment. Another model is often free.',
  },
  upstream_unavailable: {
    title: 'Provider not reachable',
    cause: 'The provider could not be reached, failed, or broke off its answer.',
    remedy: 'Send it again. If it stays like this, tell an admin the request id.',
  },
  upstream_malformed: {
    title: 'Answer not readable',
    cause: 'The provider answered with something that can’t be read.',
    remedy: 'Send it again, and ask for a very large answer as a stream. If it stays like this, tell an admin.',
  },
  upstream_timeout: {
    title: 'Provider too slow',
    cause: 'The provider did not begin, go on or finish in the time it had.',
    remedy: 'Send it again, ask for less at a time, or lower the reasoning effort.',
  },
  draining: {
    title: 'Gateway restarting',
    cause: 'The gateway was about to restart and took no new requests.',
    remedy: 'Send it again after a moment; most clients do so by themselves.',
  },
  store_unavailable: {
    title: 'Database not reachable',
    cause: 'The gateway could not reach its database, and without it serves nobody.',
    remedy: 'Send it again in a moment. If it lasts, tell an admin.',
  },
  internal: {
    title: 'Fault of the gateway',
    cause: 'Something went wrong in the gateway that nobody foresaw.',
    remedy: 'Tell an admin the request id: the log has the reason under it.',
  },
} satisfies Record<string, FaultText>

export type FaultTexts = Readonly<Record<keyof typeof faultsEn, FaultText>>
