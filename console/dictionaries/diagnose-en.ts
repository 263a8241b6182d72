import type { SeenClue } from '../../src/causes/clues.ts'
import { plural } from './plural.ts'

const seen: Readonly<Record<SeenClue, string>> = {
  request: 'a request ID',
  key: 'an API key',
  key_end: 'the end of an API key',
  foreign_key: 'a key of another provider',
  address: 'a URL',
  error: 'an error of this gateway',
  answer: 'a response from elsewhere',
  model: 'a model',
  failure: 'a failed connection',
  status: 'an HTTP status',
}

export const texts = {
  title: 'Diagnose an error',
  lead: 'Paste what failed to see why, and how to fix it.',
  paste: 'What failed?',
  placeholder:
    'A request ID, an error message, a base URL, a curl line, a config file, or the last four characters of a key',
  privacy:
    'Analyzed in your browser. Keys are never sent: only request IDs, the last four characters of a key, models and protocols are looked up.',
  submit: 'Diagnose',
  again: 'Start over',
  share: 'Copy link to this diagnosis',
  shareHint: 'The link contains no secrets. Others see only what their own account may see.',
  seen,
  recognised: (names: readonly string[]) =>
    `Found: ${new Intl.ListFormat('en', { type: 'conjunction' }).format(names)}.`,
  answer: 'Diagnosis',
  also: 'Also found',
  nothing: 'Nothing to diagnose in this text',
  nothingText:
    'We looked for request IDs, errors of this gateway and of other servers, API keys, URLs, models, HTTP statuses and failed connections. Paste more of the output, such as the whole error message or the curl line, or test the key on its page.',
  noRecord: (id: string) => `No record of ${id}`,
  noRecordText:
    'The request may belong to another account, be older than the records kept here, or have come without a valid key. Paste the error message too: it says which.',
  deletedText: {
    all: (since: string) =>
      `It’s older than what this server keeps: records are kept since ${since}. What it cost is still in your usage totals and balance history.`,
    refusals: (since: string) =>
      `If it was refused, its record has been deleted: refusals that cost nothing are kept since ${since}. Otherwise it may belong to another account, or have come without a valid key. Paste the error message too: it says which.`,
  },
  wentWell: 'This request succeeded',
  wentWellText: 'The gateway delivered the whole response. If your client showed an error, it comes from the client.',
  clientGot: (said: string) => `Your client got: ${said}`,
  faultPage: (code: string) => `About ${code}`,
  elsewhere: (origin: string) => `This URL points to ${origin}, not to the address of this gateway`,
  elsewhereText: 'Requests sent there never arrive here. Enter one of these base URLs in the client.',
  otherNameText:
    'If that is another name of this gateway, such as one inside a container or a private network, it may work. Otherwise requests sent there never arrive here: enter one of these base URLs in the client.',
  openaiUrl: 'Base URL for OpenAI clients',
  anthropicUrl: 'Base URL for Anthropic and Gemini clients',
  noKey: (end: string) => `You have no API key ending in ${end}`,
  noKeyText:
    'It belongs to another account or gateway, or was deleted long ago. Create a key and enter it in the client.',
  keysAlike: (count: number, end: string) =>
    plural(count, { one: `${count} key ends in ${end}`, other: `${count} keys end in ${end}` }),
  keysAlikeText: 'Test the right one on its page, under API keys.',
  passesNow: 'A request like this would be accepted now',
  passesNowKey: 'A request with this key would be accepted now',
  passesNowText: (targets: number | null): string =>
    targets === 0
      ? 'But no upstream of the model is available right now. Try again in a moment.'
      : 'The key, account, group and balance are fine.',
  refusedNow: (title: string) => `Now: ${title}`,
  stillNow: 'This is still the case.',
  healedNow: 'This is fixed: a request like this would be accepted now.',
  proof: 'Evidence',
  proofs: {
    record: 'Request',
    time: 'Time',
    model: 'Model',
    protocol: 'Protocol',
    status: 'HTTP status',
    key: 'API key',
    keyState: 'Key status',
    group: 'Group',
    lastUsed: 'Last used',
  },
  statuses: { active: 'Active', disabled: 'Disabled', deleted: 'Deleted', expired: 'Expired' },
  findKey: 'Search by name or last characters',
  model: 'Model',
  protocol: 'Protocol',
  explain: {
    title: 'Explain a route',
    lead: 'See where a request of any account and key would go, and why. Nothing is sent.',
    account: 'Account',
    pick: 'Search by email, name or ID',
    keyOf: 'Key of the account',
    action: 'Explain',
    refused: (title: string) => `It would be refused: ${title}`,
    goes: (group: string, multiplier: string) => `Route: ${group} (${multiplier})`,
    limits: 'Limits per minute, as used now',
    limitOf: {
      key: (name: string) => name,
      account: (name: string) => `${name}, whole account`,
    },
    targets: 'Upstreams, in the order they would be called',
    noTargets: 'No upstream can serve this model.',
    attempt: 'Attempt',
    order: (priority: number, weight: number) => `priority ${priority}, weight ${weight}`,
    hedge: 'called as well if the first is slow',
    waits: (time: string) => `not ready yet; the request waits for it, ${time} at most`,
  },
  adminMessage: (title: string, details: string) => `${title}. ${details}`,
}
