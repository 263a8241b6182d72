import { FEES_READ, TOOL_FEES } from './tool-fees.ts'

/** What docs/tool-fees.md says. */
export function toolFeeDocs(): string {
  const rows = TOOL_FEES.map(({ provider, models, call, usd, source, note }) =>
    `| \`${provider}\` | ${models?.[0] ?? 'all'} | \`${call}\` | \`${usd}\` | ${note ?? ''} | <${source}> |`.replaceAll(
      '|  |',
      '| |',
    ),
  )
  return `${HEAD}\n\n${TABLE}\n${rows.join('\n')}\n\n${FOOT}\n`
}

const HEAD = `# Fees for tools of providers

Providers charge calls of the tools that they run themselves (web search, files, code, maps) beside tokens. A model's price
has them under [\`per_call\`](endpoints.md#prices), in USD for one call. The list prices that come with this version
(\`docs/prices.json\`) have these, as the providers published them on ${FEES_READ}; a fee of \`"0"\` says that the provider bills
tokens alone. Free allowances of a day or a month are not counted, and where a client chooses between several fees, the
dearest is taken.

This page is generated from \`tools/tool-fees.ts\`.`

const TABLE = `| provider | models | call | USD | | source |
|---|---|---|---|---|---|`

const FOOT = `Not in the list:

- **Pictures that OpenAI's \`image_generation\` tool draws** are billed by the tokens of the model that draws them, which the
  answer does not count: set a fee for the largest picture that you sell.
- **Perplexity's fee for each request** depends on its search context, which the client chooses. It is the model's
  \`per_request\`, at the price of a large one: $0.012 for \`sonar\`, $0.014 for \`sonar-pro\` and \`sonar-reasoning-pro\`. Its
  citation tokens ($2 a million, \`sonar-deep-research\`) are not counted.
- **OpenRouter**, whose models are not in the list: its web plugin costs $0.004 a result, five by default
  (\`web_search: "0.02"\`), where the model's provider does not search by itself; its file parser with OCR $0.002 a page.
- **Mistral**, whose tools belong to its agents API, which is not served here.`
