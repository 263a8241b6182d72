import { expect, test } from 'vitest'
import { readPasted } from '../../../../src/causes/pasted-text.ts'
import { writeClues } from '../../../shell/palette/clue-address.ts'
import { readClues } from '../../../shell/palette/clue-search.ts'
import { buttonsOf } from '../finding-buttons.ts'
import { type Finding, findingsFrom } from '../findings-from.ts'

/** The gateway whose console it is pasted into. */
export const ORIGIN = 'https://gate.example.test'

/** A text that people paste, all that is found in it, in order, the first button, and a public report that has it. */
export type Paste = readonly [text: string, finds: string, button: string, from?: string]

/** A key of no installation, whole and shortened. */
export const MASKED = 'sk-tg-ab************************************wxyz'

/** Holds what Diagnose finds in each text, without a look-up, as the page shows it from a link. */
export function testPastes(pastes: readonly Paste[]): void {
  test.for(pastes)('%s: %s, with the button %s (%s)', ([text, finds, button]) => {
    const findings = diagnosed(text)
    expect(findings.map(labelOf).join(' + ')).toBe(finds)
    expect(firstButton(findings)).toBe(button)
  })
}

function diagnosed(text: string): readonly Finding[] {
  const here = { origin: ORIGIN }
  const clues = readClues(writeClues(readPasted(text, here)), here)
  return clues === null ? [] : findingsFrom(clues, null)
}

/** A word for each finding; a question mark where it says that it is not sure. */
function labelOf(finding: Finding): string {
  switch (finding.kind) {
    case 'fault':
      return [finding.code, finding.facts?.mistake ?? finding.facts?.foreign].filter(Boolean).join(' ')
    case 'answered':
      return `${finding.answered.by}${finding.answered.isSure ? '' : '?'} answered`
    case 'cloud':
      return finding.refusal
    case 'elsewhere':
      return finding.origin
    case 'status':
      return String(finding.status)
    case 'failure':
      return finding.failure
    case 'no_record':
    case 'no_key':
    case 'keys_alike':
    case 'went_well':
    case 'passes':
      return finding.kind
  }
}

function firstButton(findings: readonly Finding[]): string {
  const buttons = findings.map((finding) => buttonsOf(finding))
  const fix = buttons.flatMap(({ fixes }) => fixes)[0]
  return fix?.kind ?? (buttons.some(({ hasBaseUrls }) => hasBaseUrls) ? 'base URL' : 'none')
}
