import { ROLES } from '../../core/roles.ts'
import type { Command } from './command.ts'
import { FUNDING_COMMANDS } from './funding-commands.ts'
import { IMPORT_FLAGS } from './import-flags.ts'
import { LIMIT_FLAGS, SETTING_FLAGS } from './key-flags.ts'

/** Every command with its flags: parsing, help and suggestions are made from this table. Each loads its code when it runs. */
export const COMMANDS: readonly Command[] = [
  {
    words: 'start',
    summary: 'start the gateway (also without any command)',
    load: async () => (await import('./start.ts')).start,
  },
  {
    words: 'health',
    summary: 'check that the gateway is up, for the health checks of containers',
    flags: { ready: { meaning: 'also check that it accepts requests' } },
    load: async () => (await import('./health.ts')).health,
  },
  {
    words: 'account create',
    summary: 'create an account',
    flags: {
      email: { value: 'ADDRESS', meaning: 'the email address of the account', isRequired: true },
      role: { value: ROLES.join('|'), meaning: 'the role of the account; default: user' },
      'password-stdin': { meaning: 'read a password from the first line of stdin' },
      json: { meaning: 'print the account as JSON' },
    },
    load: async () => (await import('./account-commands.ts')).createAccount,
  },
  {
    words: 'account role',
    summary: 'change what an account may do: EMAIL and user, auditor, operator, finance or admin',
    operand: 'EMAIL ROLE',
    load: async () => (await import('./account-commands.ts')).changeRole,
  },
  {
    words: 'account sign-in-link',
    summary: 'create a one-time link to choose a new password',
    flags: { email: { value: 'ADDRESS', meaning: 'the email address of the account; default: the only admin' } },
    load: async () => (await import('./sign-in-commands.ts')).makeSignInLink,
  },
  {
    words: 'account credit',
    summary: 'top up an account’s balance',
    flags: {
      email: { value: 'ADDRESS', meaning: 'the email address of the account', isRequired: true },
      amount: { value: 'USD', meaning: 'the amount, such as 12.50', isRequired: true },
      reason: { value: 'TEXT', meaning: 'what the ledger says about it' },
      json: { meaning: 'print the ledger entry as JSON' },
    },
    load: async () => (await import('./ledger-commands.ts')).creditAccount,
  },
  {
    words: 'account adjust',
    summary: 'correct an account’s balance: 5 adds to it, -5 takes from what is neither used nor reserved',
    operand: 'EMAIL AMOUNT',
    flags: {
      reason: { value: 'TEXT', meaning: 'what the ledger says about it', isRequired: true },
      json: { meaning: 'print the ledger entry as JSON' },
    },
    load: async () => (await import('./ledger-commands.ts')).adjustAccount,
  },
  {
    words: 'account ledger',
    summary: 'list what changed an account’s balance, newest first',
    operand: 'EMAIL',
    flags: { json: { meaning: 'print a JSON list' } },
    load: async () => (await import('./ledger-commands.ts')).listLedger,
  },
  {
    words: 'account limits',
    summary:
      'show the limits that hold for an account, after setting those that are named; each takes none and default as well',
    operand: 'EMAIL',
    flags: {
      ...LIMIT_FLAGS,
      'max-keys': { value: 'N', meaning: 'API keys that are not deleted' },
      'max-key-validity-days': { value: 'N', meaning: 'days from the creation of a key until its end, at most' },
      json: { meaning: 'print the limits as JSON' },
    },
    load: async () => (await import('./account-limits.ts')).limitAccount,
  },
  {
    words: 'account close',
    summary: 'delete an account’s keys and sign-ins and take away its address and name; its ledger and records stay',
    operand: 'EMAIL',
    load: async () => (await import('./account-commands.ts')).closeAccount,
  },
  {
    words: 'account list',
    summary: 'list accounts with their balances',
    flags: { json: { meaning: 'print a JSON list' } },
    load: async () => (await import('./account-commands.ts')).listAccounts,
  },
  {
    words: 'key create',
    summary: 'create an API key and print its secret, which is shown only once',
    flags: {
      account: { value: 'ADDRESS', meaning: 'the email address of the account', isRequired: true },
      ...SETTING_FLAGS,
      ...LIMIT_FLAGS,
      status: { value: 'active|disabled', meaning: 'default: active' },
      'custom-key-stdin': { meaning: 'read the secret from the first line of stdin instead of generating one' },
      json: { meaning: 'print the key and its secret as JSON' },
    },
    load: async () => (await import('./key-create.ts')).createKey,
  },
  {
    words: 'key list',
    summary: 'list API keys, newest first',
    flags: {
      account: { value: 'ADDRESS', meaning: 'only keys of this account' },
      all: { meaning: 'also list deleted keys' },
      json: { meaning: 'print a JSON list' },
    },
    load: async () => (await import('./key-commands.ts')).listKeys,
  },
  ...(['disable', 'enable', 'delete'] as const).map((verb): Command => ({
    words: `key ${verb}`,
    summary: `${verb} an API key; returns once every running gateway acts on it`,
    operand: 'ID',
    flags: {
      name: { value: 'TEXT', meaning: 'the key’s name instead of its id' },
      account: { value: 'ADDRESS', meaning: 'the account of the key, when several have that name' },
    },
    load: async () => (await import('./key-commands.ts')).setKeyStatus(verb),
  })),
  ...FUNDING_COMMANDS,
  {
    words: 'alert list',
    summary: 'list budget alerts, newest first, and what became of them',
    flags: {
      limit: { value: 'N', meaning: 'how many alerts; default: 50' },
      json: { meaning: 'print a JSON list' },
    },
    load: async () => (await import('./alert-commands.ts')).listAlerts,
  },
  {
    words: 'alert test',
    summary: 'send a test alert to every configured destination',
    flags: {
      account: { value: 'ADDRESS', meaning: 'the account that it is about and that gets the mail', isRequired: true },
    },
    load: async () => (await import('./alert-commands.ts')).testAlerts,
  },
  {
    words: 'oidc test',
    summary:
      'try the OIDC provider of this environment: its description, issuer, keys, what it says to this gateway’s secret, the redirect URI to register, and the clock',
    load: async () => (await import('./sign-in-commands.ts')).testOidc,
  },
  {
    words: 'migrate',
    summary: 'bring the database up to this version, without starting the gateway',
    flags: {
      check: { meaning: 'only print the steps, what waits for them, and how long they take at this size' },
      'no-copy': { meaning: 'make no copy of the embedded database first' },
    },
    load: async () => (await import('./migrate-command.ts')).migrate,
  },
  {
    words: 'check-ledger',
    summary: 'prove that balances, ledger entries and usage records agree; also beside a running gateway',
    flags: { archive: { meaning: 'also prove deleted records, from the archive that they were written to' } },
    load: async () => (await import('./books.ts')).checkLedger,
  },
  {
    words: 'secret rotate',
    summary: 'replace the secret of the installation while gateways run on; run it again for the next step',
    load: async () => (await import('./secret-command.ts')).rotate,
  },
  {
    words: 'retention',
    summary: 'archive and delete what is older than the periods that are set, as a running gateway does once an hour',
    flags: { check: { meaning: 'only print how much that is' } },
    load: async () => (await import('./retention-command.ts')).retention,
  },
  {
    words: 'backup',
    summary:
      'copy the embedded database, also beside a running gateway: to a new FILE, or into DIR under a name with the time',
    operand: '[FILE|DIR]',
    load: async () => (await import('./backup-commands.ts')).backup,
  },
  {
    words: 'restore',
    summary: 'prove the books of a backup, and put it into an empty data directory',
    operand: 'FILE',
    flags: {
      into: { value: 'DIR', meaning: 'the directory; default: TOLLGATE_DATA_DIR' },
      rehearse: { meaning: 'only unpack it elsewhere and prove its books' },
    },
    load: async () => (await import('./backup-commands.ts')).restore,
  },
  {
    words: 'doctor',
    summary: 'try a gateway with a key, and say what is wrong and how to fix it',
    flags: {
      'base-url': { value: 'URL', meaning: 'the base URL, as a client has it', isRequired: true },
      key: {
        value: 'SECRET',
        meaning: 'the API key; better in the variable TOLLGATE_API_KEY, where ps does not show it',
      },
      model: {
        value: 'NAME',
        meaning:
          'the model to call; default: one that is likely to chat, and up to two others where that fails for a reason of its own',
      },
      protocol: {
        value: 'NAME',
        meaning:
          'the protocol of the call: openai-chat, openai-responses, anthropic-messages or gemini; default: the first of the model',
      },
    },
    load: async () => (await import('./doctor.ts')).doctor,
  },
  {
    words: 'route explain',
    summary: 'show where a request would go and why each target would be chosen or skipped, without sending it',
    flags: {
      model: { value: 'NAME', meaning: 'the model', isRequired: true },
      key: { value: 'ID', meaning: 'the API key, or its name with --account' },
      account: { value: 'ADDRESS', meaning: 'the account of the key; enough where it has one key' },
      protocol: { value: 'NAME', meaning: 'the protocol of the client; default: openai-chat' },
      'base-url': {
        value: 'URL',
        meaning: 'ask this running gateway for what it has learned, with the token in TOLLGATE_ADMIN_TOKEN',
      },
      json: { meaning: 'print the answer of GET /api/route' },
    },
    load: async () => (await import('./route-explain.ts')).routeExplain,
  },
  {
    words: 'cache clear',
    summary: 'delete the answers that groups keep; returns once no running gateway gives them again',
    flags: { group: { value: 'NAME', meaning: 'only answers of this group; default: of all' } },
    load: async () => (await import('./cache-clear.ts')).clearCaches,
  },
  {
    words: 'upstream test',
    summary: 'send small real requests to an upstream, through a running gateway, and show how far each got',
    operand: 'NAME',
    flags: {
      model: { value: 'NAME', meaning: 'only these models; default: all that have a target there', isList: true },
      credential: {
        value: 'NAME',
        meaning: 'only these credentials; default: all that are not disabled',
        isList: true,
      },
      protocol: {
        value: 'NAME',
        meaning: 'the protocol of the client; default: every chat protocol, translated where the upstream has another',
        isList: true,
      },
      stream: { meaning: 'ask for streams' },
      'base-url': {
        value: 'URL',
        meaning:
          'the running gateway, called with the token in TOLLGATE_ADMIN_TOKEN; default: the one of this environment',
      },
      json: { meaning: 'print the answers of POST /api/upstreams/{id}/test-request, one on each line' },
    },
    load: async () => (await import('./upstream-test.ts')).upstreamTest,
  },
  {
    words: 'apply',
    summary: 'apply a declarative file now, beside running gateways',
    operand: 'FILE',
    flags: { 'dry-run': { meaning: 'only show what would change' } },
    load: async () => (await import('./file-commands.ts')).apply,
  },
  {
    words: 'export',
    summary: 'write the installation as a declarative file: to FILE, readable by its owner alone, or to stdout',
    operand: '[FILE]',
    flags: {
      'plain-secrets': { meaning: 'write credentials of upstreams in plain text instead of encrypted' },
    },
    load: async () => (await import('./file-commands.ts')).exportInstallation,
  },
  {
    words: 'import',
    summary:
      'move in from new-api, one-api or sub2api: accounts, balances, keys, groups, models, upstreams, plans and codes; again for what changed since. From the config.yaml of litellm: upstreams, models and prices, with --database keys and budgets too',
    operand: 'PRODUCT SOURCE',
    flags: IMPORT_FLAGS,
    load: async () => (await import('./import-command.ts')).importGateway,
  },
]
