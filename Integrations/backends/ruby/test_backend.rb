# frozen_string_literal: true

# The tests of the backend: `scenario serve` has the phones, and the backend is asked as they would ask it.

require_relative 'backend'

KEY = ENV.fetch('APPROOV_API_KEY')
BACKEND = backend(0)
Thread.new { BACKEND.start }
ROOT = "http://127.0.0.1:#{BACKEND.config[:Port]}"
$failures = 0

def service(method, path, body, key = nil)
  uri = URI(Tokens::URL + path)
  request = Net::HTTP.const_get(method).new(uri)
  request['Authorization'] = "Bearer #{key}" if key
  request.body = body.to_json
  answer = Net::HTTP.start(uri.host, uri.port) { |http| http.request(request) }
  [answer.code.to_i, JSON.parse(answer.body)]
end

def token(group, domain = 'api.example.com')
  service('Post', "/attest?domain=#{domain}", { group: group }).last['token']
end

def approov(*words)
  status, answer = service('Post', '/approov?confirm=YES', words, KEY)
  raise answer.to_s unless status == 200
end

def ask(token)
  headers = token.nil? ? {} : { 'Approov-Token' => token }
  Net::HTTP.get_response(URI("#{ROOT}/hello"), headers).code.to_i
end

def expect(name, found, expected)
  return if found == expected

  $failures += 1
  warn "#{name}: #{found} and not #{expected}"
end

# The service's clock is an hour late, and is put right then.
expired = token('normal')
service('Post', '/clock', { advance: '1h' })

expect('a normal phone', ask(token('normal')), 200)
expect('a rooted phone', ask(token('rooted')), 401)
expect('a banned phone', ask(token('banned')), 401)
expect('an expired token', ask(expired), 401)
[nil, 'x', 'a.b.c', 'a.b.c.d.e'].each { |shown| expect("no token: #{shown}", ask(shown), 401) }

before = token('normal', 'keys.example.com')
expect('a key of the set', ask(before), 200)
approov('keyset', '-add', 'ES256', '-kid', 'second')
approov('api', '-remove', 'keys.example.com')
approov('api', '-add', 'keys.example.com', '-keySetKID', 'second')
expect('a rotated key set', ask(token('normal', 'keys.example.com')), 200)
expect('a rotated key set, before', ask(before), 200)
expect('a rotated key set, rooted', ask(token('rooted', 'keys.example.com')), 401)

service('Put', '/outage', { primary: true })
# The failover notices within a minute.
expect('a primary outage, at once', service('Post', '/attest?domain=api.example.com', { group: 'normal' }).first, 503)
service('Post', '/clock', { advance: '1m' })
expect('a primary outage', ask(token('normal')), 200)
expect('a primary outage, rooted', ask(token('rooted')), 401)
expect('a primary outage, status', Net::HTTP.get(URI("#{ROOT}/status")), '{"service":"failed"}')
service('Put', '/outage', { failover: true })
expect('a total outage', service('Post', '/attest?domain=api.example.com', { group: 'normal' }).first, 503)
# The app goes on without a token, and is not let in.
expect('a total outage, no token', ask(nil), 401)

exit($failures.zero? ? 0 : 1)
