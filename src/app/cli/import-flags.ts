import type { Flag } from './command.ts'

/** The flags of `tollgate import`. */
export const IMPORT_FLAGS: Readonly<Record<string, Flag>> = {
  'dry-run': { meaning: 'only show what would be imported, with its sums and all that is left out' },
  confirm: { value: 'CODE', meaning: 'import only while the sums are those of the dry run that said so' },
  accept: {
    value: 'NAME',
    meaning:
      'carry what is not exact: rounding, multiplier, price, completion-ratio, built-in-ratio, catalogue, intervals, group-prices, months, taken-groups; join with what is here: same-email, same-group; or import what --verify finds to be different: differences',
    isList: true,
  },
  negative: { value: 'keep|zero', meaning: 'what becomes of balances below zero' },
  admins: {
    value: 'keep|none',
    meaning: 'whether admins there, whom the report names, are admins here; default: keep',
  },
  pricing: {
    value: 'FILE',
    meaning:
      'for prices built into the source: the answer of new-api’s GET /api/ratio_config or /api/pricing, or LiteLLM’s model_prices_and_context_window.json',
  },
  database: {
    value: 'URL',
    meaning:
      'of litellm: postgresql://… of its proxy, for keys, users, teams and budgets; the password may stand in IMPORT_PASSWORD',
  },
  variables: {
    value: 'A,B',
    meaning:
      'of litellm: the only environment variables that its providers may be sent, of those that the dry run lists; --test sends no others',
    isList: true,
  },
  wildcards: {
    value: 'catalogue|upstream',
    meaning:
      'of litellm: what names with * stand for: the models of the price list, or those that the upstream lists, which is asked at once',
  },
  fallbacks: {
    meaning:
      'of litellm: fallbacks between models become targets behind the model’s own, at the price of the model that was asked for',
  },
  history: {
    value: 'DIRECTORY',
    meaning:
      'import nothing, and archive the history of the source (its logs, orders and the like) there; again for what came since',
  },
  test: {
    meaning:
      'also ask each upstream for its list of models, by its first credential and with its headers, and say what came of it',
  },
  verify: {
    value: 'URL',
    meaning:
      'also ask the running source at this address for the models of each key and for its prices, and print what is different here; it makes no paid call. The key of its admin may stand in IMPORT_VERIFY_KEY',
  },
  switched: { meaning: 'the old gateway is stopped for good: its redeem codes can be redeemed here from now on' },
  as: { value: 'NAME', meaning: 'the name of this source, where two of the same product are imported' },
}
