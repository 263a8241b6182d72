/** A refusal of a cloud that an admin of the gateway, or of the cloud's account, can set right. */
export type CloudRefusal = keyof typeof REFUSALS

/** The refusal that these words of a provider are; null: none that is known. Only what the cloud says of itself is looked for. */
export function cloudRefusalIn(words: string): CloudRefusal | null {
  const flat = words.slice(0, WORDS_READ).replaceAll(/\s+/g, ' ')
  return CLOUD_REFUSALS.find((name) => REFUSALS[name].test(flat)) ?? null
}

const WORDS_READ = 2_000

/**
 * A closed list of what the clouds say, by their documentation or as users have reported it. AWS: "Troubleshooting Amazon Bedrock
 * API error codes" and "Common errors" of its references; Microsoft: "Azure OpenAI quotas", "Role-based access control for Azure
 * OpenAI", "Microsoft Entra authentication error codes"; Google: "Vertex AI API errors" and google.rpc.ErrorInfo.
 */
const REFUSALS = {
  // Tracer-Cloud/opensre#1808. The other reasons for which AWS Marketplace denies a model are of permissions.
  bedrock_payment: /Model access is denied due to INVALID_PAYMENT_INSTRUMENT/,
  bedrock_use_case: /Model use case details have not been submitted for this account|FTUFormNotFilled/,
  // kirodotdev/Kiro#11191, aws-samples/amazon-bedrock-audio-summarizer#3.
  aws_account:
    /^(?:\w+: )?Operation not allowed\.?$|Your account is not authorized to (?:invoke|perform) this|needs a subscription for the service/,
  // langgenius/dify#2829, aws-samples/sample-agentic-frameworks-on-aws#44.
  bedrock_no_access: /You don't have access to the model with the specified model ID|Model access is denied due to/,
  aws_not_assumable: /is not authorized to perform: sts:AssumeRole/,
  aws_not_allowed: /is not authorized to perform: bedrock(?:-mantle)?:\w+/,
  // RooCodeInc/Roo-Code#1823.
  bedrock_needs_profile: /with on-demand throughput isn.t supported/,
  bedrock_unknown_model: /The provided model identifier is invalid/,
  // LiteLLM and others report both forms; the quota is that of the account in a region.
  bedrock_throttled:
    /Too many (?:tokens|requests)(?: per day)?, please wait before trying again|Your request rate is too high/,
  aws_token_expired: /The security token included in the request is expired|ExpiredTokenException/,
  aws_wrong_key:
    /The security token included in the request is invalid|The request signature we calculated does not match|UnrecognizedClientException/,
  aws_clock: /Signature expired: |Signature not yet current: /,
  azure_no_deployment: /The API deployment for this resource does not exist|DeploymentNotFound/,
  azure_old_version: /API version not supported|is enabled only for api-versions? /,
  // alex-wolf-ps/dbchatprov2#2, jasonacox/TinyLLM#17.
  azure_quota: /have exceeded (?:the )?(?:token|call) rate limit of your current/,
  azure_wrong_key: /Access denied due to invalid subscription key or wrong API endpoint/,
  azure_no_role: /lacks the required data action|does not have the required permissions? to perform/,
  azure_network: /Access denied due to Virtual Network\/Firewall rules/,
  // pollinations/pollinations#9319.
  azure_blocked: /Your resource has been temporarily blocked because we detected behavior/,
  azure_secret: /AADSTS(?:7000215|7000222|700027)\b/,
  azure_application: /AADSTS(?:700016|90002|900023|50034)\b/,
  // looplj/axonhub#1226, mlflow/mlflow#23092.
  vertex_no_model: /Publisher Model .{1,300} (?:was not found|is not servable)|is not allowed to use Publisher Model/,
  vertex_api_off: /has not been used in project .{1,100} before or it is disabled|SERVICE_DISABLED/,
  google_billing: /requires billing to be enabled|BILLING_DISABLED/,
  google_suspended: /Consumer '[^']{1,100}' has been suspended|CONSUMER_SUSPENDED|GCP_SUSPENDED/,
  vertex_no_role: /Permission 'aiplatform\.\w{1,40}\.\w{1,40}' denied/,
  vertex_quota: /Quota exceeded for aiplatform\.googleapis\.com|Resource (?:has been )?exhausted/,
  google_key_revoked: /Invalid JWT Signature|Invalid JWT: |invalid_grant: account not found/i,
} as const satisfies Record<string, RegExp>

export const CLOUD_REFUSALS = Object.keys(REFUSALS) as readonly CloudRefusal[]
