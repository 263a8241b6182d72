import { expect, test } from 'vitest'
import { readPasted } from '../../causes/pasted-text.ts'
import { Fault } from '../../core/faults.ts'
import type { WireFamily } from '../../core/wire.ts'
import { familyOfPath, recognise } from './paths.ts'

const ORIGIN = 'https://gate.example.test'

/** What the references of the three APIs list beside what is served here: methods, and a path with its ids filled in. */
const UNSERVED: Readonly<Record<WireFamily, readonly string[]>> = {
  openai: [
    'GET,POST /v1/files',
    'GET,DELETE /v1/files/file-1',
    'GET /v1/files/file-1/content',
    'POST /v1/uploads',
    'POST /v1/uploads/upload_1/parts',
    'POST /v1/uploads/upload_1/complete',
    'POST /v1/uploads/upload_1/cancel',
    'GET,POST /v1/batches',
    'GET /v1/batches/batch_1',
    'POST /v1/batches/batch_1/cancel',
    'POST /v1/images/variations',
    'GET,POST /v1/fine_tuning/jobs',
    'GET /v1/fine_tuning/jobs/ftjob-1/events',
    'GET /v1/fine_tuning/jobs/ftjob-1/checkpoints',
    'POST /v1/fine_tuning/jobs/ftjob-1/pause',
    'GET,POST,DELETE /v1/fine_tuning/checkpoints/ft:x/permissions',
    'POST /v1/fine_tuning/alpha/graders/validate',
    'GET,POST /v1/fine-tunes',
    'POST /v1/realtime/sessions',
    'POST /v1/realtime/transcription_sessions',
    'POST /v1/realtime/client_secrets',
    'POST /v1/realtime/calls',
    'POST /v1/realtime/calls/rtc_1/hangup',
    'GET /v1/realtime',
    'GET,POST /v1/assistants',
    'POST /v1/threads',
    'POST /v1/threads/thread_1/runs/run_1/submit_tool_outputs',
    'GET,POST /v1/vector_stores',
    'POST /v1/vector_stores/vs_1/file_batches',
    'GET,POST /v1/conversations',
    'GET,POST /v1/conversations/conv_1/items',
    'GET,POST /v1/containers',
    'GET /v1/containers/cntr_1/files/cfile_1/content',
    'GET,POST /v1/evals',
    'GET /v1/evals/eval_1/runs/run_1/output_items',
    'GET,POST /v1/videos',
    'POST /v1/videos/video_1/remix',
    'GET /v1/videos/video_1/content',
    'POST /v1/chatkit/sessions',
    'GET,POST /v1/audio/voices',
    'GET,POST /v1/audio/voice_consents',
    'GET /v1/organization/usage/completions',
    'GET,POST /v1/organization/admin_api_keys',
    'GET /v1/organization/costs',
    'GET /v1/organization/projects/proj_1/api_keys',
    'GET /v1/projects/proj_1/groups',
    'GET,POST /v1/skills',
    'POST /v1/edits',
    'GET /v1/engines',
    'POST /v1/engines/davinci/completions',
    'GET /v1/chat/completions/chatcmpl-1',
    'GET /v1/chat/completions/chatcmpl-1/messages',
  ],
  anthropic: [
    'GET,POST /v1/messages/batches',
    'GET,DELETE /v1/messages/batches/msgbatch_1',
    'POST /v1/messages/batches/msgbatch_1/cancel',
    'GET /v1/messages/batches/msgbatch_1/results',
    'GET,POST /v1/files',
    'GET /v1/files/file_1/content',
    'GET,POST /v1/skills',
    'GET,POST /v1/skills/skill_1/versions',
    'GET,POST /v1/agents',
    'GET,POST /v1/sessions',
    'POST /v1/sessions/sesn_1/events',
    'GET,POST /v1/environments',
    'POST /v1/complete',
    'POST /v1/experimental/generate_prompt',
    'GET /v1/organizations/me',
    'GET /v1/organizations/api_keys',
    'GET /v1/organizations/usage_report/messages',
    'GET /v1/organizations/cost_report',
  ],
  gemini: [
    'GET,POST /v1beta/files',
    'POST /upload/v1beta/files',
    'GET,DELETE /v1beta/files/abc',
    'POST /v1beta/files:register',
    'GET /v1beta/generatedFiles',
    'GET,POST /v1beta/cachedContents',
    'PATCH /v1beta/cachedContents/abc',
    'GET,POST /v1beta/fileSearchStores',
    'POST /v1beta/fileSearchStores/abc:importFile',
    'POST /upload/v1beta/fileSearchStores/abc:uploadToFileSearchStore',
    'GET,POST /v1beta/corpora',
    'POST /v1beta/corpora/abc:query',
    'GET,POST /v1beta/tunedModels',
    'POST /v1beta/tunedModels/abc:transferOwnership',
    'GET /v1beta/batches/abc',
    'POST /v1beta/batches/abc:cancel',
    'POST /v1beta/models/m1:batchGenerateContent',
    'POST /v1beta/models/m1:predict',
    'POST /v1beta/models/m1:predictLongRunning',
    'POST /v1/models/m1:predict',
    'POST /v1beta/models/m1:generateAnswer',
    'GET /v1beta/operations/abc',
    'POST /v1alpha/auth_tokens',
    'GET,POST /v1beta/interactions',
    'GET /v1beta/webhooks',
    'GET /ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
  ],
}

const ENDPOINTS = Object.entries(UNSERVED).flatMap(([family, lines]) =>
  lines.flatMap((line) => {
    const [methods = '', path = ''] = line.split(' ')
    return methods.split(',').map((method) => [method, path, family as WireFamily] as const)
  }),
)

test.for(ENDPOINTS)(
  '%s %s says that it is not served, in the form of %s, and nothing against the base URL',
  (asked) => {
    const [method, path, family] = asked
    const fault = faultOf(method, path)
    expect(fault.code).toBe('path_unknown')
    expect(fault.message).toContain(`does not serve ${method} ${path}. `)
    expect(fault.message).toMatch(/The base URL is right\.$/)
    expect(fault.details.hint).toBeUndefined()
    expect(familyOfPath(path, family === 'anthropic')).toBe(family)
  },
)

test.for(ENDPOINTS.filter(([, path]) => !/^\/v1\/(?:chat|messages)|^\/ws|\/models\//.test(path)))(
  '%s %s pasted into Diagnose is not called a wrong base URL',
  ([, path]) => {
    const { found, elsewhere } = readPasted(ORIGIN + path, { origin: ORIGIN })
    expect(found).toMatchObject([
      { code: 'path_unknown', facts: { path, served: expect.stringContaining('POST /v1') } },
    ])
    expect(elsewhere).toBeNull()
  },
)

test.for([
  ['DELETE', '/v1/models/ft:gpt-5.5', 'takes GET'],
  ['PUT', '/v1/chat/completions', 'takes POST'],
  ['GET', '/v1/images/edits', 'takes POST'],
  ['GET', '/v1beta/models/m1:generateContent', 'takes POST'],
] as const)('%s %s says which method it takes: %s', ([method, path, words]) => {
  expect(faultOf(method, path).message).toContain(words)
})

function faultOf(method: string, path: string): Fault {
  try {
    recognise(method, path, ORIGIN)
  } catch (error) {
    if (error instanceof Fault) return error
    throw error
  }
  throw new Error(`${method} ${path} is recognised`)
}
