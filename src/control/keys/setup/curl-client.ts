import { SETUP_MARK_HEADER } from '../../../access/setup-mark.ts'
import type { SetupProtocol, SetupWay } from '../../../contract/setup.ts'
import type { ClientDescription, WayContext } from './client-description.ts'
import { shellStep, terminalSystems } from './terminal-steps.ts'
import { wireFacts } from '../../../core/wire.ts'

/** Bare HTTP: what is left to try when a client does not work. PowerShell's own `curl` is something else. */
export const CURL: ClientDescription = {
  id: 'curl',
  name: 'curl',
  category: 'http',
  protocols: ['openai-chat', 'openai-responses', 'anthropic-messages'],
  advice: ['history_holds_key'],
  systems: (way) =>
    terminalSystems({ set: [['TOLLGATE_API_KEY', '{key}']] }).map(({ system, steps }) => ({
      system,
      // Kept for later terminals it would be one more place that holds the key, for nothing.
      steps: [...steps.filter((step) => step.purpose !== 'keep'), requestStep(system, way)],
    })),
}

type Requests = Partial<Record<SetupProtocol, { path: string; body: object }>>

const messages = [{ role: 'user', content: 'Say hello in one word.' }]

const REQUESTS: Requests = {
  'openai-chat': { path: '/v1/chat/completions', body: { model: '{model}', messages } },
  'openai-responses': { path: '/v1/responses', body: { model: '{model}', input: messages[0]?.content } },
  'anthropic-messages': { path: '/v1/messages', body: { model: '{model}', max_tokens: 256, messages } },
}

function requestStep(system: SetupWay['systems'][number]['system'], way: WayContext) {
  const about = { purpose: 'try' as const, marked: request(system, way, true) }
  const text = request(system, way, false)
  if (system === 'powershell') return shellStep('powershell', text, { ...about, escapes: ['json', 'powershell'] })
  if (system === 'cmd') return shellStep('cmd', text, { ...about, escapes: ['json', 'cmd'] })
  return shellStep('posix', text, { ...about, escapes: ['json', 'posix'] })
}

function request(system: SetupWay['systems'][number]['system'], { protocol, origin }: WayContext, isMarked: boolean) {
  const { path, body } = REQUESTS[protocol] ?? { path: '/v1/models', body: {} }
  const url = origin + path
  const json = JSON.stringify(body)
  const version = wireFacts(protocol).headers?.['anthropic-version']
  const headers = [
    ...(version === undefined ? [] : [['anthropic-version', version]]),
    ...(isMarked ? [[SETUP_MARK_HEADER, '{mark}']] : []),
  ]
  if (system === 'powershell') {
    const others = headers.map(([name, value]) => `; '${name}' = '${value}'`).join('')
    const all = `@{ Authorization = "Bearer $env:TOLLGATE_API_KEY"${others} }`
    const call = `Invoke-RestMethod -Method Post -Uri '${url}' -ContentType 'application/json' -Headers ${all} -Body '${json}'`
    return `${call} | ConvertTo-Json -Depth 8`
  }
  if (system === 'cmd') {
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
