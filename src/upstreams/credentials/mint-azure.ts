import type { TokenCredential } from '@azure/identity'
import { sourceOf } from '../../core/credential-kind.ts'
import { CredentialFailure } from '../cloud-upstream.ts'
import { azureHttpClient } from './azure-http-client.ts'
import { type MintedFor, type Minter, type MintingMachine, settingOf, tokenFileOf } from './minter.ts'

/** Access tokens of Microsoft Entra: of an application, of a managed identity, or of the workload of a pod. */
export function azureMinter(of: MintedFor, machine: MintingMachine): Minter {
  const scope = settingOf(of, 'scope') ?? scopeOf(of.upstream.baseUrl)
  return {
    scope,
    async mint(signal) {
      const credential = await credentialOf(of, machine)
      const token = await credential.getToken(scope, { abortSignal: signal })
      if (token === null) throw new CredentialFailure('Microsoft Entra issued no token.')
      // The library counts from the clock of this machine, by which it is counted back.
      const lifeMs = token.expiresOnTimestamp - machine.clock.now()
      return { value: { is: 'bearer', token: token.token }, lifeMs }
    },
  }
}

/**
 * What a token is asked for, by the host that it is sent to.
 * https://learn.microsoft.com/en-us/azure/ai-foundry/openai/how-to/managed-identity and, of Foundry,
 * https://learn.microsoft.com/en-us/azure/ai-foundry/foundry-models/how-to/configure-entra-id; of the other clouds,
 * https://learn.microsoft.com/en-us/azure/azure-government/compare-azure-government-global-azure
 */
export function scopeOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  const service = hostname.includes('.services.ai.') ? 'ai' : 'cognitiveservices'
  return `https://${service}.azure.${endingOf(hostname)}/.default`
}

function endingOf(hostname: string): 'com' | 'us' | 'cn' {
  if (hostname.endsWith('.azure.us')) return 'us'
  return hostname.endsWith('.azure.cn') ? 'cn' : 'com'
}

/** Where the tokens of each of Microsoft's clouds come from, as `AzureAuthorityHosts` of `@azure/identity` has it. */
const AUTHORITIES = {
  com: 'https://login.microsoftonline.com',
  us: 'https://login.microsoftonline.us',
  cn: 'https://login.chinacloudapi.cn',
} as const

async function credentialOf(of: MintedFor, machine: MintingMachine): Promise<TokenCredential> {
  const azure = await import('@azure/identity')
  const { environment } = machine
  const options = {
    authorityHost: environment['AZURE_AUTHORITY_HOST'] ?? AUTHORITIES[endingOf(new URL(of.upstream.baseUrl).hostname)],
    // The authority is one of the three, or the environment's.
    disableInstanceDiscovery: true,
    retryOptions: { maxRetries: 0 },
    httpClient: azureHttpClient(machine.fetch),
  }
  const tenant = settingOf(of, 'tenant_id') ?? environment['AZURE_TENANT_ID'] ?? ''
  const client = settingOf(of, 'client_id') ?? environment['AZURE_CLIENT_ID']
  switch (sourceOf('azure', of.credential.settings ?? {})) {
    case 'client_secret':
      return new azure.ClientSecretCredential(tenant, client ?? '', of.secret, options)
    case 'client_certificate':
      return new azure.ClientCertificateCredential(tenant, client ?? '', { certificate: of.secret }, options)
    case 'managed_identity': {
      const own = settingOf(of, 'client_id')
      return new azure.ManagedIdentityCredential(own === null ? options : { ...options, clientId: own })
    }
    default: {
      const tokenFilePath = tokenFileOf(machine, environment['AZURE_FEDERATED_TOKEN_FILE'] ?? null)
      return new azure.WorkloadIdentityCredential({
        ...options,
        tenantId: tenant,
        ...(client === undefined ? {} : { clientId: client }),
        tokenFilePath,
      })
    }
  }
}
