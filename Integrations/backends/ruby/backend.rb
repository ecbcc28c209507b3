# frozen_string_literal: true

# A backend of WEBrick and ruby-jwt that lets in whoever has a valid token of the service.
#
# It knows the account's secret (APPROOV_SECRET, base64), shared keys by their names (APPROOV_KEYS, JSON Web Keys by
# name), and where the public keys are (APPROOV_URL). ruby-jwt does not open encrypted tokens.

require 'base64'
require 'json'
require 'jwt'
require 'net/http'
require 'webrick'

# Whether tokens are valid.
class Tokens
  %w[APPROOV_URL APPROOV_SECRET].each do |name|
    abort "the environment has no #{name}; ../README.md lists the settings" unless ENV.key?(name)
  end
  URL = ENV.fetch('APPROOV_URL')
  SECRET = Base64.decode64(ENV.fetch('APPROOV_SECRET'))
  SHARED = JSON.parse(ENV.fetch('APPROOV_KEYS', '{}'))

  def initialize
    @public = {}
  end

  # The claims of a valid token; the key says by which algorithm, and the token never does.
  def claims(token)
    header = JWT.decode(token, nil, false).last
    # ruby-jwt accepts extensions that it does not know (RFC 7515, 4.1.11).
    raise JWT::DecodeError, 'an unknown extension' if header.key?('crit')

    name = header['kid']
    return verify(token, SECRET, 'HS256') if name.nil?

    key = key(name)
    raise JWT::DecodeError, 'no such key' if key.nil?

    verify(token, material(key), key['alg'])
  end

  private

  # The key of a name, as a JSON Web Key; the public ones are asked for when a name is new.
  def key(name)
    return SHARED[name] if SHARED.key?(name)

    unless @public.key?(name)
      keys = JSON.parse(Net::HTTP.get(URI("#{URL}/.well-known/jwks.json")))['keys']
      @public = keys.to_h { |key| [key['kid'], key] }
    end
    @public[name]
  end

  # What verifies. ruby-jwt takes secrets of JSON Web Keys as they stand, and OpenSSL 3 lets nobody put a curve's key
  # together, so both are read here.
  def material(key)
    case key['kty']
    when 'oct' then Base64.urlsafe_decode64(key['k'])
    when 'EC' then point(key)
    else JWT::JWK.import(key.transform_keys(&:to_sym)).public_key
    end
  end

  CURVES = { 'P-256' => 'prime256v1', 'P-384' => 'secp384r1', 'P-521' => 'secp521r1' }.freeze

  def point(key)
    bytes = "\x04".b + Base64.urlsafe_decode64(key['x']) + Base64.urlsafe_decode64(key['y'])
    names = [OpenSSL::ASN1::ObjectId('id-ecPublicKey'), OpenSSL::ASN1::ObjectId(CURVES.fetch(key['crv']))]
    parts = [OpenSSL::ASN1::Sequence(names), OpenSSL::ASN1::BitString(bytes)]
    OpenSSL::PKey::EC.new(OpenSSL::ASN1::Sequence(parts).to_der)
  end

  def verify(token, key, algorithm)
    JWT.decode(token, key, true, algorithm: algorithm, required_claims: ['exp']).first
  end
end

def backend(port)
  tokens = Tokens.new
  server = WEBrick::HTTPServer.new(Port: port, BindAddress: '127.0.0.1', AccessLog: [], Logger: WEBrick::Log.new(nil, 0))
  server.mount_proc('/hello') do |request, response|
    response.content_type = 'application/json'
    response.body = { hello: tokens.claims(request['Approov-Token'].to_s)['did'] }.to_json
  rescue JWT::DecodeError, ArgumentError, TypeError
    response.status = 401
    response.body = { error: 'no valid token' }.to_json
  end
  server.mount_proc('/status') do |_, response|
    answer = Net::HTTP.get(URI("#{Tokens::URL}/healthcheck/att-backends"))
    response.body = { service: JSON.parse(answer)['HealthState'] }.to_json
  rescue SystemCallError
    response.body = { service: 'unknown' }.to_json
  end
  server
end

if $PROGRAM_NAME == __FILE__
  server = backend(ENV.fetch('PORT').to_i)
  trap('TERM') { server.shutdown }
  server.start
end
