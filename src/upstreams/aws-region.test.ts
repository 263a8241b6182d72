import { describe, expect, it } from 'vitest'
import { awsHostOf, awsRegionOf } from './aws-region.ts'

describe('awsRegionOf', () => {
  it('reads the region out of each form that AWS gives its hosts', () => {
    const hosts = {
      'https://bedrock-runtime.us-east-1.amazonaws.com': 'us-east-1',
      'https://bedrock-runtime.us-gov-west-1.amazonaws.com/openai/v1': 'us-gov-west-1',
      'https://bedrock-runtime-fips.ca-central-1.amazonaws.com': 'ca-central-1',
      'https://bedrock-mantle.ap-southeast-3.api.aws/v1': 'ap-southeast-3',
      'https://bedrock-runtime.cn-north-1.amazonaws.com.cn': 'cn-north-1',
      'https://vpce-0a1b-2c3d.bedrock-runtime.eu-west-1.vpce.amazonaws.com': 'eu-west-1',
    }
    for (const [baseUrl, region] of Object.entries(hosts)) {
      expect(awsRegionOf({ baseUrl, region: null }), baseUrl).toBe(region)
    }
    expect(awsHostOf('https://bedrock-runtime.cn-north-1.amazonaws.com.cn')?.domain).toBe('amazonaws.com.cn')
    expect(awsHostOf('https://bedrock-mantle.us-east-1.api.aws')?.domain).toBe('amazonaws.com')
  })

  it('prefers what is set, and knows none for a host that AWS does not name', () => {
    expect(awsRegionOf({ baseUrl: 'https://bedrock.example.com', region: null })).toBeNull()
    expect(awsRegionOf({ baseUrl: 'https://bedrock.example.com', region: 'eu-west-1' })).toBe('eu-west-1')
    expect(awsRegionOf({ baseUrl: 'https://xbedrock-runtime.us-east-1.amazonaws.com', region: null })).toBeNull()
  })
})
