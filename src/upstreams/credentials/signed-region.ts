import { awsRegionOf } from '../aws-region.ts'
import { CredentialFailure } from '../cloud-upstream.ts'
import type { MintedFor } from './minter.ts'

/**
 * The region that an upstream of AWS is signed for, and whose token service is asked: it becomes a part of that host. Throws
 * CredentialFailure.
 */
export function signedRegionOf({ baseUrl, passage }: Pick<MintedFor['upstream'], 'baseUrl' | 'passage'>): string {
  const region = awsRegionOf({ baseUrl, region: passage?.region ?? null })
  if (region !== null && REGION.test(region)) return region
  throw new CredentialFailure('The upstream names no region of AWS: set its region, such as us-east-1.')
}

const REGION = /^[a-z]{2,4}(?:-[a-z]{2,12}){1,3}-\d{1,2}$/
