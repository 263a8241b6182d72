/** Every way in which a model of a cloud is asked. */
import type { UpstreamDialect } from '../../src/core/upstream-dialect.ts'
import type { UpstreamProtocol } from '../../src/core/upstream-protocol.ts'
import type { RequestOverrides } from '../../src/routing/catalog.ts'

export const CLOUD_NAMES = [
  'azure-chat',
  'azure-responses',
  'azure-dated',
  'azure-claude',
  'bedrock-claude',
  'bedrock-converse',
  'bedrock-chat',
  'bedrock-responses',
  'vertex-gemini',
  'vertex-claude',
  'vertex-chat',
] as const

export type CloudName = (typeof CLOUD_NAMES)[number]

export interface CloudWay {
  readonly name: CloudName
  readonly protocol: Exclude<UpstreamProtocol, 'demo'>
  readonly passage: RequestOverrides & { readonly dialect: UpstreamDialect }
  /** What stands behind the cloud's origin in the base URL. */
  readonly below: string
  /** What stands before a model's name in what the cloud calls it. */
  readonly publisher?: string
}

const OF_PROJECT = '/v1/projects/fake-project/locations/global'
const AZURE = { dialect: 'azure' } as const
const BEDROCK = { dialect: 'bedrock', region: 'us-east-1' } as const
const VERTEX = { dialect: 'vertex' } as const

const DATED = { ...AZURE, apiVersion: '2024-10-21' } as const

const WAYS: Readonly<Record<CloudName, Omit<CloudWay, 'name'>>> = {
  'azure-chat': { protocol: 'openai-chat', passage: AZURE, below: '/openai/v1' },
  'azure-responses': { protocol: 'openai', passage: AZURE, below: '/openai/v1' },
  'azure-dated': { protocol: 'openai-chat', passage: DATED, below: '/openai' },
  'azure-claude': { protocol: 'anthropic', passage: AZURE, below: '/anthropic/v1' },
  'bedrock-claude': { protocol: 'anthropic', passage: BEDROCK, below: '' },
  'bedrock-converse': { protocol: 'converse', passage: BEDROCK, below: '' },
  'bedrock-chat': { protocol: 'openai-chat', passage: BEDROCK, below: '' },
  'bedrock-responses': { protocol: 'openai', passage: BEDROCK, below: '' },
  'vertex-gemini': { protocol: 'gemini', passage: VERTEX, below: OF_PROJECT, publisher: 'google' },
  'vertex-claude': { protocol: 'anthropic', passage: VERTEX, below: OF_PROJECT, publisher: 'anthropic' },
  'vertex-chat': { protocol: 'openai-chat', passage: VERTEX, below: OF_PROJECT },
}

export const CLOUD_WAYS: readonly CloudWay[] = CLOUD_NAMES.map((name) => ({ name, ...WAYS[name] }))
