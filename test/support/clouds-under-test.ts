/** Fakes of the three clouds before one plain fake upstream, asked in every way. */
import { startFakeAzure } from '../../tools/fake-upstream/clouds/azure.ts'
import { type FakeBedrock, startFakeBedrock } from '../../tools/fake-upstream/clouds/bedrock.ts'
import { startFakeVertex } from '../../tools/fake-upstream/clouds/vertex.ts'
import type { CloudWay } from './cloud-ways.ts'

export interface Clouds {
  /** A target's name for a model of the fake upstream, which the cloud has from now on. */
  targetFor(way: CloudWay, model: string): string
  baseUrlOf(way: CloudWay): string
  readonly bedrock: FakeBedrock
  close(): Promise<void>
}

/** A key of the resource, an API key of Bedrock, one of Vertex AI. */
export const CLOUD_KEY = 'key-of-the-clouds'

/** Starts the three, before the plain fake upstream of this origin. */
export async function startClouds(upstream: string): Promise<Clouds> {
  const deployments: Record<string, { readonly model: string }> = {}
  const azure = await startFakeAzure({ upstream, deployments, key: CLOUD_KEY })
  const bedrock = await startFakeBedrock({ upstream: { url: upstream }, apiKey: CLOUD_KEY })
  const vertex = await startFakeVertex({ upstream, apiKey: CLOUD_KEY, takesToken: () => false })
  const origins = { azure: azure.url, bedrock: bedrock.url, vertex: vertex.url }
  const baseUrlOf = ({ passage: { dialect }, below }: CloudWay): string => origins[dialect] + below
  return {
    targetFor({ passage: { dialect }, protocol, publisher }, model) {
      if (dialect === 'azure') deployments[model] = { model }
      if (dialect !== 'vertex') return model
      if (protocol === 'openai-chat') return model.includes('/') ? model : `meta/${model}`
      return `publishers/${publisher}/models/${model}`
    },
    baseUrlOf,
    bedrock,
    async close() {
      azure.close()
      await bedrock.close()
      await vertex.close()
    },
  }
}
