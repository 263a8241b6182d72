/** An AWS host of Bedrock: what serves there, in which region, and the domain of the partition. */
interface AwsHost {
  readonly region: string
  /** `amazonaws.com`, or another partition's. */
  readonly domain: string
}

/**
 * `bedrock-runtime.us-east-1.amazonaws.com`, its FIPS and dual-stack forms, endpoints of a VPC, and the bedrock-mantle hosts.
 * https://docs.aws.amazon.com/general/latest/gr/bedrock.html; https://docs.aws.amazon.com/bedrock/latest/userguide/endpoints.html
 */
const HOST =
  /(?:^|\.)bedrock(?:-runtime|-mantle)?(?:-fips)?\.(?<region>[a-z]{2,4}(?:-[a-z]+)+-\d)\.(?:vpce\.)?(?<domain>amazonaws\.com(?:\.cn)?|api\.aws)$/

/** What a base URL says of its region; null: it is none of AWS' own hosts. */
export function awsHostOf(baseUrl: string): AwsHost | null {
  const { region, domain = '' } = HOST.exec(new URL(baseUrl).hostname)?.groups ?? {}
  if (region === undefined) return null
  return { region, domain: domain === 'api.aws' ? 'amazonaws.com' : domain }
}

/** The region that requests to an upstream are signed for: as it is set, or as its host says; null: neither says one. */
export function awsRegionOf({
  baseUrl,
  region,
}: {
  readonly baseUrl: string
  readonly region: string | null
}): string | null {
  return region ?? awsHostOf(baseUrl)?.region ?? null
}
