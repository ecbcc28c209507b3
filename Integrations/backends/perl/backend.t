# The tests of the backend: `scenario serve` has the phones, and the backend is asked as they would ask it.

use strict;
use warnings;

use File::Basename qw(dirname);
use HTTP::Request;
use HTTP::Tiny;
use JSON::PP;
use Plack::Test;
use Plack::Util;
use Test::More;

my $url = $ENV{APPROOV_URL};
my $backend = Plack::Test->create( Plack::Util::load_psgi( dirname(__FILE__) . '/backend.psgi' ) );

sub service {
    my ( $method, $path, $body, %headers ) = @_;
    my $answer = HTTP::Tiny->new->request( $method, $url . $path, { content => encode_json($body), headers => \%headers } );
    return ( $answer->{status}, decode_json( $answer->{content} ) );
}

sub token {
    my ( $group, $domain ) = @_;
    $domain //= 'api.example.com';
    my ( undef, $answer ) = service( 'POST', "/attest?domain=$domain", { group => $group } );
    return $answer->{token};
}

sub approov {
    my ($status) = service( 'POST', '/approov?confirm=YES', [@_], Authorization => "Bearer $ENV{APPROOV_API_KEY}" );
    is( $status, 200, "@_" );
    return;
}

sub ask {
    my ($token) = @_;
    my $request = HTTP::Request->new( GET => '/hello' );
    $request->header( 'Approov-Token' => $token ) if defined $token;
    return $backend->request($request)->code;
}

# The service's clock is an hour late, and is put right then.
my $expired = token('normal');
service( 'POST', '/clock', { advance => '1h' } );

is( ask( token('normal') ), 200, 'a normal phone' );
is( ask( token('rooted') ), 401, 'a rooted phone' );
is( ask( token('banned') ), 401, 'a banned phone' );
is( ask($expired), 401, 'an expired token' );
is( ask($_), 401, 'no token: ' . ( $_ // 'none' ) ) for undef, '', 'x', 'a.b.c', 'a.b.c.d.e';

my $before = token( 'normal', 'keys.example.com' );
is( ask($before), 200, 'a key of the set' );
approov( 'keyset', '-add', 'ES256', '-kid', 'second' );
approov( 'api', '-remove', 'keys.example.com' );
approov( 'api', '-add', 'keys.example.com', '-keySetKID', 'second' );
is( ask( token( 'normal', 'keys.example.com' ) ), 200, 'a rotated key set' );
is( ask($before), 200, 'a rotated key set, before' );
is( ask( token( 'rooted', 'keys.example.com' ) ), 401, 'a rotated key set, rooted' );

service( 'PUT', '/outage', { primary => JSON::PP::true } );

# The failover notices within a minute.
is( ( service( 'POST', '/attest?domain=api.example.com', { group => 'normal' } ) )[0], 503, 'a primary outage, at once' );
service( 'POST', '/clock', { advance => '1m' } );
is( ask( token('normal') ), 200, 'a primary outage' );
is( ask( token('rooted') ), 401, 'a primary outage, rooted' );
is( $backend->request( HTTP::Request->new( GET => '/status' ) )->content, '{"service":"failed"}', 'a primary outage, status' );
service( 'PUT', '/outage', { failover => JSON::PP::true } );
my ($status) = service( 'POST', '/attest?domain=api.example.com', { group => 'normal' } );
is( $status, 503, 'a total outage' );

# The app goes on without a token, and is not let in.
is( ask(undef), 401, 'a total outage, no token' );

done_testing();
