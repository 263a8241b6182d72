import type { KeyWithOwner } from '../../access/api-key.ts'
import type { ClientAnswer } from '../answer/client-answer.ts'
import type { ClientRequest } from '../client-connection.ts'
import { answerClaudeUsage } from './claude-usage.ts'
import type { SummaryParts } from './key-usage-summary.ts'
import { managedSettings } from './managed-settings.ts'

interface ClaudeQuestion {
  readonly parts: SummaryParts & { readonly clock: { now(): number } }
  readonly request: ClientRequest
  readonly answer: ClientAnswer
}

/**
 * Answers what a signed-in Claude Code asks its gateway for beside models: the dollars of `/usage` and its settings. What it
 * reports of itself is dropped; its exporter logs an error for any other answer than 200. Rejects with Fault.
 */
export async function answerClaude(
  kind: 'claude_usage' | 'managed_settings' | 'telemetry',
  caller: KeyWithOwner,
  { parts, request, answer }: ClaudeQuestion,
): Promise<void> {
  const nowMs = parts.clock.now()
  if (kind === 'telemetry') return answer.json(200, {})
  if (kind === 'claude_usage') return answer.json(200, await answerClaudeUsage(caller, parts, nowMs))
  const managed = managedSettings(caller, parts.snapshot(), nowMs)
  if (managed === null) return answer.json(404, NO_SETTINGS)
  if (request.headers['if-none-match'] === managed.etag) return answer.unchanged(managed.etag)
  answer.own(Buffer.from(JSON.stringify(managed.body)), 200, managed.etag)
}

const NO_SETTINGS = {
  type: 'error',
  error: { type: 'not_found_error', message: 'This gateway sets nothing for clients of this group.' },
}
