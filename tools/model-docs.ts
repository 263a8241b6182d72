import { FACT_NAMES, factOf, type FactValue, UNBOUNDED } from '../src/models/facts.ts'
import type { FactSource, FamilyRow, SourcedFacts } from '../src/models/row.ts'
import { ROWS } from '../src/models/rows.ts'

/** The text of docs/models.md, from the table of models. */
export function modelDocs(): string {
  const makers = [...new Set(ROWS.map(({ maker }) => maker))]
  return `${[HEAD, columns(), ...makers.map(ofMaker)].join('\n\n')}\n`
}

const HEAD = `# What models take

Providers change from model to model what a request may hold, and answer 400 to the rest. Where a request is translated, it is
written as its model takes it, by this table: the model's name at its provider (\`targets[].model\`) says the family, or for a
deployment of any name the one that is set beside it (\`targets[].fields_like\`). Of a model that no family fits, it is taken
that it takes what its protocol has. What passes in the client's own protocol is not changed.

A setting that is only a wish is left out where the model refuses it, and named in \`x-tollgate-dropped-fields\`. What the answer
depends on is refused with \`request_invalid\`, before anything is paid for.

An admin states or corrects any of these for a model, or for one of its targets, under \`rules\` (in the file, the API and the
console): the rules of a target stand above those of its model, and both above this table.

This page is generated from \`src/models/rows/\`.`

function columns(): string {
  const rows = FACT_NAMES.map((name) => {
    const fact = factOf(name)
    const values =
      fact.kind === 'flag'
        ? 'true, false'
        : fact.kind === 'number'
          ? `${fact.least} to ${numeral(fact.most)}`
          : `${fact.kind === 'words' ? 'a list of ' : ''}${fact.words.map(code).join(', ')}`
    return `| ${code(name)} | ${fact.means} | ${values} |`
  })
  return ['## The facts', '', '| fact | what it says | values |', '|---|---|---|', ...rows].join('\n')
}

function ofMaker(maker: string): string {
  return [`## ${maker}`, ...ROWS.filter((row) => row.maker === maker).map(ofRow)].join('\n\n')
}

function ofRow({ family, examples, facts, on = {} }: FamilyRow): string {
  const lines = [...linesOf(facts, 'all'), ...Object.entries(on).flatMap(([wire, own]) => linesOf(own, code(wire)))]
  return [
    `### ${family}`,
    '',
    `Such as ${examples.map(code).join(', ')}.`,
    '',
    '| protocol | facts | from |',
    '|---|---|---|',
    ...lines,
  ].join('\n')
}

/** One line for all facts of a source. */
function linesOf(facts: SourcedFacts, where: string): readonly string[] {
  const bySource = new Map<string, string[]>()
  for (const name of FACT_NAMES) {
    const said = facts[name]
    if (said === undefined) continue
    const source = sourceText(said.source)
    bySource.set(source, [...(bySource.get(source) ?? []), `${name}: ${valueText(said.value)}`])
  }
  return [...bySource].map(([source, listed]) => `| ${where} | ${listed.map(code).join(', ')} | ${source} |`)
}

function valueText(value: FactValue): string {
  if (typeof value === 'object') return `[${value.join(', ')}]`
  return typeof value === 'number' ? numeral(value) : String(value)
}

function numeral(value: number): string {
  return value === UNBOUNDED ? 'any' : value.toLocaleString('en-US')
}

function sourceText({ from, at }: FactSource): string {
  return `${from.startsWith('https://') ? `<${from}>` : from}, ${at}`
}

function code(text: string): string {
  return `\`${text}\``
}
