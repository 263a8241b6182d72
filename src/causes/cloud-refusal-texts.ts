import { type CloudRefusal, cloudRefusalIn } from './cloud-refusals.ts'
import type { Explanation } from './explanation.ts'

/** What the words of a provider mean, and what an admin does about it; null: no cloud is known to refuse with them. */
export function cloudAdvice(words: string, language: 'en' | 'zh'): Explanation | null {
  const refusal = cloudRefusalIn(words)
  return refusal === null ? null : explainCloudRefusal(refusal, language)
}

/** Sentences for admins, and behind them what is to be done about the words that a provider said; null: it said nothing. */
export function withCloudAdvice(sentences: string, said: string | null): string {
  const advice = said === null ? null : cloudAdvice(said, 'en')
  return advice === null ? sentences : `${sentences} ${advice.cause} ${advice.remedy}`
}

/** What a refusal of a cloud means, and what an admin does about it. */
export function explainCloudRefusal(refusal: CloudRefusal, language: 'en' | 'zh'): Explanation {
  const [cause, remedy] = (language === 'en' ? ENGLISH : CHINESE)[refusal]
  return { cause, remedy }
}

type RefusalTexts = Readonly<Record<CloudRefusal, readonly [cause: string, remedy: string]>>

const ENGLISH: RefusalTexts = {
  bedrock_payment: [
    'AWS Marketplace does not accept the payment method of the account for this model.',
    'Set a valid payment method in the AWS billing console, and ask again after 15 minutes.',
  ],
  bedrock_use_case: [
    'The AWS account has not submitted its use case, which Anthropic asks for.',
    'Fill in the form of use case details for Anthropic in the Bedrock console, and ask again after 15 minutes.',
  ],
  aws_account: [
    'AWS does not let this account use Bedrock, or not in this region.',
    'Check the region of the upstream, then open a case with AWS Support: no setting of the gateway changes it.',
  ],
  bedrock_no_access: [
    'The AWS account has no access to this model in this region.',
    'Request it under Model access in the Bedrock console of that region, or use a region or an inference profile that has it.',
  ],
  aws_not_assumable: [
    'The role cannot be assumed with this credential.',
    'Let the trust policy of the role name the identity of the credential, allow that identity sts:AssumeRole, and check the external ID.',
  ],
  aws_not_allowed: [
    'The IAM identity of the credential may not call this model.',
    'Allow it bedrock:InvokeModel and bedrock:InvokeModelWithResponseStream for the model and for the inference profile.',
  ],
  bedrock_needs_profile: [
    'Bedrock serves this model by an inference profile alone.',
    'Set the model of the target to the ID or ARN of a profile, such as us., eu. or global. before the ID of the model.',
  ],
  bedrock_unknown_model: [
    'Bedrock does not know this model in this region.',
    'Check the ID of the model on the target, and the region of the upstream.',
  ],
  bedrock_throttled: [
    'The account has used its quota for this model in this region.',
    'Raise it under Service Quotas, add a target in another region, or use an inference profile of several regions.',
  ],
  aws_token_expired: [
    'The temporary keys of AWS have expired.',
    'Use a credential that is renewed: a role, a profile, or the identity of the instance or the pod.',
  ],
  aws_wrong_key: [
    'AWS does not accept the access key or its signature.',
    'Enter the access key ID and the secret access key again, and check that the key is active.',
  ],
  aws_clock: [
    'AWS refuses the signature because the clock of this machine is wrong.',
    'Set the clock, and let it be kept by NTP.',
  ],
  azure_no_deployment: [
    'The Azure resource has no deployment of this name.',
    'Set the model of the target to the name of a deployment, as the Foundry portal lists it. A new one takes some minutes.',
  ],
  azure_old_version: [
    'The API version of the upstream does not serve this request.',
    'Set a newer API version, or leave it empty and use the base URL that ends in /openai/v1.',
  ],
  azure_quota: [
    'The deployment has used its tokens or requests per minute.',
    'Raise its limit in the Foundry portal, or add a target with another deployment.',
  ],
  azure_wrong_key: [
    'Azure does not accept the key for this resource.',
    'Copy a key from Keys and Endpoint of the same resource, and check the base URL.',
  ],
  azure_no_role: [
    'The identity of the credential has no role on the Azure resource.',
    'Assign it the role Cognitive Services OpenAI User (for Foundry: Azure AI User) on the resource.',
  ],
  azure_network: [
    'The network rules of the Azure resource do not let this gateway in.',
    'Allow the address of this gateway under Networking, or use a private endpoint.',
  ],
  azure_blocked: [
    'Azure has blocked the resource for a while, because of what was asked of it.',
    'Read the mail that Azure sent to the owner of the subscription, and add a target at another resource.',
  ],
  azure_secret: [
    'Microsoft Entra ID does not accept the secret or the certificate of the application.',
    'Create a new one for the application, and enter its value, not its ID.',
  ],
  azure_application: [
    'Microsoft Entra ID does not find the application in this tenant.',
    'Check the client ID and the tenant ID of the credential.',
  ],
  vertex_no_model: [
    'The project has no such model in this location.',
    'Enable the model in Model Garden, check its name on the target, and use a location that serves it, such as global.',
  ],
  vertex_api_off: [
    'The Vertex AI API is off in this project.',
    'Enable aiplatform.googleapis.com in the project, and wait some minutes.',
  ],
  google_billing: [
    'Billing is off for the Google Cloud project.',
    'Link an active billing account to the project of the base URL, and wait some minutes.',
  ],
  google_suspended: [
    'Google has suspended the project.',
    'Read why in the Google Cloud console of the project, and appeal there, or use another project.',
  ],
  vertex_no_role: [
    'The identity of the credential has no permission in this project.',
    'Grant it the role Vertex AI User in the project of the base URL.',
  ],
  vertex_quota: [
    'Vertex AI has no capacity or quota left for this model in this location.',
    'Use the location global, raise the quota of the project, or add a target in another location.',
  ],
  google_key_revoked: [
    'Google does not accept the key of the service account.',
    'Check that the key still exists and that the clock of this machine is right, else create a new key.',
  ],
}

const CHINESE: RefusalTexts = {
  bedrock_payment: [
    'AWS Marketplace 不接受该账户为此模型设置的付款方式。',
    '请在 AWS 账单控制台中设置有效的付款方式，15 分钟后再试。',
  ],
  bedrock_use_case: [
    '该 AWS 账户尚未提交 Anthropic 要求的使用场景。',
    '请在 Bedrock 控制台中填写 Anthropic 使用场景表单，15 分钟后再试。',
  ],
  aws_account: [
    'AWS 不允许该账户使用 Bedrock，或不允许在此区域使用。',
    '请检查上游的区域，再向 AWS Support 提交工单；网关的设置无法改变这一点。',
  ],
  bedrock_no_access: [
    '该 AWS 账户在此区域没有该模型的访问权限。',
    '请在该区域的 Bedrock 控制台中通过“模型访问”申请，或改用已有权限的区域或推理配置文件。',
  ],
  aws_not_assumable: [
    '无法用此凭据代入该角色。',
    '请在角色的信任策略中加入该凭据的身份，允许该身份执行 sts:AssumeRole，并检查外部 ID。',
  ],
  aws_not_allowed: [
    '该凭据的 IAM 身份无权调用此模型。',
    '请为该模型及推理配置文件授予 bedrock:InvokeModel 和 bedrock:InvokeModelWithResponseStream 权限。',
  ],
  bedrock_needs_profile: [
    'Bedrock 只通过推理配置文件提供此模型。',
    '请把目标的模型改为推理配置文件的 ID 或 ARN，例如在模型 ID 前加 us.、eu. 或 global.。',
  ],
  bedrock_unknown_model: ['Bedrock 在此区域找不到该模型。', '请检查目标上的模型 ID 以及上游的区域。'],
  bedrock_throttled: [
    '该账户在此区域对此模型的配额已用完。',
    '请在 Service Quotas 中提高配额，添加其他区域的目标，或使用跨区域的推理配置文件。',
  ],
  aws_token_expired: ['AWS 的临时密钥已过期。', '请改用可续期的凭据：角色、配置文件，或实例、Pod 的身份。'],
  aws_wrong_key: ['AWS 不接受该访问密钥或其签名。', '请重新填写访问密钥 ID 和私有访问密钥，并确认该密钥处于启用状态。'],
  aws_clock: ['本机时钟不准，AWS 因此拒绝了签名。', '请校准时钟，并通过 NTP 保持同步。'],
  azure_no_deployment: [
    '该 Azure 资源中没有这个名称的部署。',
    '请把目标的模型改为 Foundry 门户中列出的部署名称；新建的部署需要等待几分钟。',
  ],
  azure_old_version: [
    '上游的 API 版本不支持此请求。',
    '请设置更新的 API 版本；或将其留空，并使用以 /openai/v1 结尾的 Base URL。',
  ],
  azure_quota: ['该部署每分钟的 Token 数或请求数已用完。', '请在 Foundry 门户中提高限额，或添加使用其他部署的目标。'],
  azure_wrong_key: ['Azure 不接受用于该资源的密钥。', '请从同一资源的“密钥和终结点”复制密钥，并检查 Base URL。'],
  azure_no_role: [
    '该凭据的身份在此 Azure 资源上没有角色。',
    '请在该资源上为其分配 Cognitive Services OpenAI User 角色（Foundry 为 Azure AI User）。',
  ],
  azure_network: ['该 Azure 资源的网络规则不允许本网关访问。', '请在“网络”中放行本网关的地址，或使用专用终结点。'],
  azure_blocked: [
    'Azure 因请求内容暂时封锁了该资源。',
    '请查看 Azure 发给订阅所有者的邮件，并添加使用其他资源的目标。',
  ],
  azure_secret: ['Microsoft Entra ID 不接受该应用的密码或证书。', '请为该应用新建一个，并填写其“值”，而不是其 ID。'],
  azure_application: ['Microsoft Entra ID 在此租户中找不到该应用。', '请检查凭据的客户端 ID 和租户 ID。'],
  vertex_no_model: [
    '该项目在此位置没有这个模型。',
    '请在 Model Garden 中启用该模型，检查目标上的名称，并使用提供该模型的位置，例如 global。',
  ],
  vertex_api_off: ['该项目未启用 Vertex AI API。', '请在项目中启用 aiplatform.googleapis.com，并等待几分钟。'],
  google_billing: ['该 Google Cloud 项目未启用结算功能。', '请为 Base URL 中的项目关联有效的结算账号，并等待几分钟。'],
  google_suspended: ['Google 已停用该项目。', '请在 Google Cloud 控制台中查看原因并申诉，或改用其他项目。'],
  vertex_no_role: ['该凭据的身份在此项目中没有权限。', '请在 Base URL 的项目中授予其 Vertex AI User 角色。'],
  vertex_quota: [
    'Vertex AI 在此位置已没有该模型的容量或配额。',
    '请使用位置 global，提高项目的配额，或添加其他位置的目标。',
  ],
  google_key_revoked: ['Google 不接受该服务账号的密钥。', '请确认该密钥仍然存在且本机时钟准确，否则请新建密钥。'],
}
