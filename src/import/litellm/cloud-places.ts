import { dirname } from 'node:path'
import { objectionToBaseUrl } from '../../routing/upstream-settings.ts'
import { azurePlace } from './azure-places.ts'
import { bedrockPlace } from './bedrock-places.ts'
import { CloudParams, type CloudPlace } from './cloud-params.ts'
import { commonsOf, type DeploymentPlace, NO_CREDENTIAL, type PlacesAbout, textIn } from './places.ts'
import type { CloudName, NamedProvider } from './provider-table.ts'
import type { Deployment } from './read-config.ts'
import { words } from '../source.ts'
import { vertexPlace } from './vertex-places.ts'

/** What a deployment of each cloud may say that is carried, beside what every deployment may. */
const UNDERSTOOD: Readonly<Record<CloudName, readonly string[]>> = {
  azure: words('api_version tenant_id client_id client_secret azure_ad_token azure_username azure_password base_model'),
  bedrock: words(
    'aws_access_key_id aws_secret_access_key aws_session_token aws_region_name aws_session_name aws_profile_name',
    'aws_role_name aws_external_id aws_web_identity_token aws_bedrock_runtime_endpoint model_id base_model',
  ),
  vertex: words(
    'vertex_project vertex_location vertex_credentials vertex_ai_project vertex_ai_location vertex_ai_credentials',
  ),
}

export interface PlacedAtCloud {
  readonly place: DeploymentPlace
  /** What the cloud calls the model. */
  readonly model: string
}

/** Where a deployment is asked at a cloud. A sentence: why it cannot be. */
export async function placeAtCloud(
  deployment: Deployment,
  named: NamedProvider & { readonly cloud: CloudName },
  about: PlacesAbout,
): Promise<PlacedAtCloud | string> {
  const { id, params } = deployment
  const { notes, variables } = about
  if (named.model.includes('*')) return MANY[named.cloud]
  const read = new CloudParams(params, variables, named.cloud === 'bedrock' ? 'signing' : 'sent')
  const found = await placed(read, deployment, { named, folder: dirname(about.path) })
  if (typeof found === 'string') return found
  const { protocol, baseUrl, dialect, region, apiVersion, credential, model } = found
  if (objectionToBaseUrl(protocol, baseUrl) !== null) return 'name no address that can be used: set them up by hand'
  if ('lacks' in credential) notes.note('model_list', id, credential.lacks)
  for (const note of found.notes) notes.note('model_list', id, note)
  const lacks = 'lacks' in credential
  const common = commonsOf(
    deployment,
    { variables, notes, to: URL.parse(baseUrl)?.host ?? '' },
    UNDERSTOOD[named.cloud],
  )
  const place = {
    protocol,
    baseUrl,
    ...(dialect === undefined ? {} : { dialect }),
    ...(region === undefined ? {} : { region }),
    ...(apiVersion === undefined ? {} : { apiVersion }),
    ...(lacks ? { secret: NO_CREDENTIAL } : credential),
    ...common,
    isDisabled: lacks || common.isDisabled,
  }
  return { place, model }
}

const LISTED =
  'stand for many models (*) of a cloud: --wildcards catalogue serves those of the price list, else name each'

/** What is said of names that stand for many models. */
const MANY: Readonly<Record<CloudName, string>> = {
  azure: 'stand for many deployments (*) of Azure, whose names no list has: name each',
  bedrock: LISTED,
  vertex: LISTED,
}

function placed(
  params: CloudParams,
  { info }: Deployment,
  { named, folder }: { readonly named: NamedProvider & { readonly cloud: CloudName }; readonly folder: string },
): Promise<CloudPlace | string> | CloudPlace | string {
  switch (named.cloud) {
    case 'azure':
      return azurePlace(params, named)
    case 'bedrock':
      return bedrockPlace(params, named, textIn(info.get('base_model') ?? params.value('base_model')))
    case 'vertex':
      return vertexPlace(params, named, folder)
  }
}
