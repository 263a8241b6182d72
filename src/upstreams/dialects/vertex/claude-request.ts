import { withMembers } from '../../../protocols/body-members.ts'
import { fieldsIn } from '../../../protocols/json/json-scan.ts'
import { piecesOf } from '../../../protocols/json/range-edits.ts'
import type { RequestPurpose } from '../../upstream-client.ts'
import { bareName } from './resource-path.ts'

interface ClaudeRequest extends Pick<RequestPurpose, 'form'> {
  readonly model: string
  /** The version that the client speaks, as its header names it. */
  readonly version: string | undefined
}

/**
 * Claude's request as Vertex AI takes it ("Claude on Vertex AI", platform.claude.com): the version stands in the body, and
 * the model in the path, but where tokens are counted. All other bytes stay.
 */
export function claudeBody(body: Buffer, { model, form, version }: ClaudeRequest): readonly Buffer[] {
  const adding = { anthropic_version: JSON.stringify(versionThere(version)) }
  if (form !== 'count_tokens') return withMembers(body, { without: ['model'], adding }) ?? [body]
  const name = JSON.stringify(bareName(model))
  const written = fieldsIn(body, new Set(['model']))?.get('model')
  const named = written === undefined ? [body] : piecesOf(body, [{ at: written, text: name }])
  return withMembers(Buffer.concat(named), { without: [], adding: { ...adding, model: name } }) ?? named
}

/**
 * The first version has a name of its own there, and by Anthropic's the request is answered with 404 (clawvisor, pull request
 * 156). Later ones are Anthropic's, as vertex-sdk sends them ("Versions", platform.claude.com: 2026-10-21 is there as well).
 */
function versionThere(version: string | undefined): string {
  return version === undefined || version === '2023-06-01' ? 'vertex-2023-10-16' : version
}

/** The headers without Anthropic's own version, and with the betas that are known there. */
export function claudeHeaders(
  headers: Readonly<Record<string, string>>,
  form: RequestPurpose['form'],
): Readonly<Record<string, string>> {
  const { 'anthropic-version': _version, 'anthropic-beta': named, ...others } = headers
  const betas = named === undefined ? [] : betasIn(named).flatMap((beta) => betaOf(beta, form))
  return betas.length === 0 ? others : { ...others, 'anthropic-beta': [...new Set(betas)].join(',') }
}

function betasIn(header: string): readonly string[] {
  return header
    .split(',')
    .map((beta) => beta.trim())
    .filter((beta) => beta !== '')
}

function betaOf(beta: string, form: RequestPurpose['form']): readonly string[] {
  if (form === 'count_tokens') return COUNTED_WITH.has(beta) ? [beta] : []
  const other = OTHER_BETAS.find(([pattern]) => pattern.test(beta))
  return other === undefined ? [beta] : other[1]
}

/**
 * Betas that mean something to Anthropic's own API alone, for which Vertex AI refuses the request ("Unexpected value(s) …
 * for the `anthropic-beta` header"), and those that have another name there. All others are the client's choice.
 */
const OTHER_BETAS: readonly (readonly [RegExp, readonly string[]])[] = [
  // How a subscription signs in; no provider but Anthropic knows it.
  [/^oauth-/, []],
  // anthropics/claude-code issue 21612.
  [/^prompt-caching-scope-/, []],
  // "Tool search tool", platform.claude.com: the table of beta headers by provider.
  [/^advanced-tool-use-/, ['tool-search-tool-2025-10-19']],
]

/** Counting refuses all betas but these, as Claude Code's own requests to Vertex AI have it (2.1), and vertex-sdk's. */
const COUNTED_WITH: ReadonlySet<string> = new Set([
  'claude-code-20250219',
  'interleaved-thinking-2025-05-14',
  'context-management-2025-06-27',
  'token-counting-2024-11-01',
])
