import { azureApiOf, isDatedAzureVersion } from '../../../routing/cloud-base-url.ts'
import type { Wire } from '../../../core/wire.ts'
import type { UpstreamHandler, UpstreamRequest } from '../../upstream-client.ts'
import type { Dialect, DialectUpstream } from '../dialect.ts'
import { deploymentsOf } from './deployments.ts'
import { FilterReports } from './filter-reports.ts'
import { deploymentPath, withVersion } from './paths.ts'
import { RefusalOfDeployment } from './refusal-of-deployment.ts'

/**
 * Azure OpenAI and Microsoft Foundry. They take the bodies of OpenAI and Anthropic as these are, and answer in their words, with
 * fields of their own beside them. What differs is the path and its query, and what some refusals mean.
 */
export function azure({ protocol, baseUrl, apiVersion }: DialectUpstream): Dialect {
  const api = azureApiOf(protocol)
  const namesDeployments = isDatedAzureVersion(api, apiVersion) && !baseUrl.endsWith('/models')
  return {
    outbound(request) {
      const asked = namesDeployments ? deploymentPath(request) : request.path
      const path = withVersion(asked, apiVersion)
      return path === request.path ? request : { ...request, path }
    },
    inbound: hearing,
    list: deploymentsOf(api, baseUrl),
  }
}

/** Wires in whose streams a filter may report beside the answer. */
const HAS_REPORTS: Readonly<Partial<Record<Wire, true>>> = { 'openai-chat': true }

function hearing({ asks }: UpstreamRequest, handler: UpstreamHandler): UpstreamHandler {
  if (asks === undefined) return handler
  const hasReports = asks.form === 'stream' && HAS_REPORTS[asks.wire] === true
  return new RefusalOfDeployment(hasReports ? new FilterReports(handler) : handler)
}
