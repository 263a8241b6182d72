import type { Seen } from '../../src/causes/pasted-text.ts'
import { plural } from './plural.ts'

const seen: Readonly<Record<Seen, string>> = {
  request: 'a request ID',
  key: 'an API key',
  key_end: 'the end of an API key',
  foreign_key: 'a key of another provider',
  address: 'a URL',
  error: 'an error of this gateway',
  model: 'a model',
  failure: 'a connection that failed',
}

export const diagnoseEn = {
  lead: 'Paste whatever failed: find out why, and what to do about it.',
  paste: 'What failed?',
  placeholder:
    'A request ID, an error message, a base URL, a curl line, a config file, or the last four characters of a key',
  privacy:
    'Read in this browser. Keys are checked here and never sent: only a request ID, the last four characters of a key, the model and the protocol are looked up.',
  submit: 'Diagnose',
  again: 'Start over',
  share: 'Copy link to this diagnosis',
  shareHint: 'The link has no secrets, and shows others only what their own account may see.',
  seen,
  recognised: (what: string) => `Recognised: ${what}.`,
  answer: 'Diagnosis',
  also: 'Also found',
  nothing: 'Nothing was recognised',
  nothingText:
    'Looked for: request IDs, this gateway’s errors and error codes, API keys, URLs, models and failed connections. Paste more of the output, such as the whole error message or the curl line, or test a key below.',
  noRecord: (id: string) => `No record of ${id}`,
  noRecordText:
    'Either the request belongs to another account, or it is older than records are kept, or it came without a key that this gateway knows. Paste the error message as well: it says which.',
  wentWell: 'This request was answered',
  wentWellText: 'The gateway delivered the whole response. If the client showed an error, it arose in the client.',
  clientGot: (said: string) => `Your client got: ${said}`,
  openRecord: 'Open the record',
  faultPage: (code: string) => `About ${code}`,
  elsewhere: (origin: string) => `This URL leads to ${origin}, not to this gateway`,
  elsewhereText: 'Requests sent there never arrive here. Enter one of these base URLs in the client.',
  openaiUrl: 'Base URL for OpenAI clients',
  anthropicUrl: 'Base URL for Anthropic and Gemini clients',
  noKey: (end: string) => `You have no API key ending in ${end}`,
  noKeyText:
    'It belongs to another account or gateway, or was deleted long ago. Create a key and enter it in the client.',
  keysAlike: (count: number, end: string) =>
    plural(count, { one: `${count} key ends in ${end}`, other: `${count} keys end in ${end}` }),
  keysAlikeText: 'Choose the one that is meant under “Test a key”.',
  passesNow: 'A request like this would be let through now',
  passesNowKey: 'A request with this key would be let through now',
  passesNowText: (targets: number | null): string =>
    targets === 0
      ? 'But no target of the model is available at present: try again in a moment.'
      : 'Key, account, group and balance are in order.',
  refusedNow: (title: string) => `Now: ${title}`,
  stillNow: 'This is still the case now.',
  healedNow: 'This would not happen any more: such a request would be let through now.',
  proof: 'Proof',
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
  statuses: { active: 'active', disabled: 'disabled', deleted: 'deleted', expired: 'expired' },
  test: 'Test a key',
  testLead: 'Judged as the gateway would judge a request now, without sending anything.',
  key: 'API key',
  model: 'Model',
  anyModel: 'Any model',
  protocol: 'Protocol',
  check: 'Check',
  fixes: {
    toKey: 'Open the key',
    allowModel: (model: string) => `Allow ${model} for the key`,
    allowAddress: (address: string) => `Allow ${address} for the key`,
    enableKey: 'Enable the key',
    rotateKey: 'Rotate the key',
    createKey: 'Create API key',
    copyUrl: (url: string) => `Copy ${url}`,
    copyModel: (model: string) => `Copy ${model}`,
    showModels: 'Show models',
    addCredit: 'Add credit',
    askAdmin: 'Copy a message for an admin',
  },
  adminMessage: (title: string, details: string) => `${title}. ${details}`,
}

export type DiagnoseTexts = typeof diagnoseEn
