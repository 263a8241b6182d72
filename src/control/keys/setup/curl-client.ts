import { SETUP_MARK_HEADER } from '../../../access/setup-mark.ts'
import type { SetupProtocol } from '../../../contract/setup.ts'
import { type ClientDescription, KEY_ALONE, MESSAGE, type Shell, type WayContext } from './client-description.ts'
import { shellStep } from './client-steps.ts'
import { wireFacts } from '../../../core/wire.ts'

/** Bare HTTP: what is left to try when a client does not work. PowerShell's own `curl` is something else. */
export const CURL: ClientDescription = {
  id: 'curl',
  name: 'curl',
  protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
  advice: ['history_holds_key'],
  set: KEY_ALONE,
  // A key that is kept for later terminals would be held in one more place, for nothing.
  isSetForOnce: true,
  request: (shell, way) =>
    shellStep(shell, request(shell, way, false), {
      purpose: 'try',
      escapes: ['json', shell],
      marked_text: request(shell, way, true),
    }),
}

type Requests = Partial<Record<SetupProtocol, { path: string; body: object }>>

const messages = [{ role: 'user', content: MESSAGE }]

const REQUESTS: Requests = {
  'openai-chat': { path: '/v1/chat/completions', body: { model: '{model}', messages } },
  'openai-responses': { path: '/v1/responses', body: { model: '{model}', input: messages[0]?.content } },
  'anthropic-messages': { path: '/v1/messages', body: { model: '{model}', max_tokens: 256, messages } },
}

function request(shell: Shell, { protocol, origin }: WayContext, isMarked: boolean): string {
  const { path, body } = REQUESTS[protocol] ?? { path: '/v1/models', body: {} }
  const url = origin + path
  const json = JSON.stringify(body)
  const version = wireFacts(protocol).headers?.['anthropic-version']
  const headers = [
    ...(version === undefined ? [] : [['anthropic-version', version]]),
    ...(isMarked ? [[SETUP_MARK_HEADER, '{mark}']] : []),
  ]
  if (shell === 'powershell') {
    const others = headers.map(([name, value]) => `; '${name}' = '${value}'`).join('')
    const all = `@{ Authorization = "Bearer $env:TOLLGATE_API_KEY"${others} }`
    const call = `Invoke-RestMethod -Method Post -Uri '${url}' -ContentType 'application/json' -Headers ${all} -Body '${json}'`
    return `${call} | ConvertTo-Json -Depth 8`
  }
  if (shell === 'cmd') {
    return [
      `curl "${url}"`,
      '-H "Authorization: Bearer %TOLLGATE_API_KEY%"',
      '-H "Content-Type: application/json"',
      ...headers.map((header) => `-H "${header.join(': ')}"`),
      `-d "${json.replaceAll('"', '\\"')}"`,
    ].join(' ')
  }
  return [
    `curl '${url}'`,
    `-H "Authorization: Bearer $TOLLGATE_API_KEY"`,
    `-H 'Content-Type: application/json'`,
    ...headers.map((header) => `-H '${header.join(': ')}'`),
    `-d '${json}'`,
  ].join(' \\\n  ')
}
