# A backend of Plack and Crypt::JWT that lets in whoever has a valid token of the service.
#
# It knows the account's secret (APPROOV_SECRET, base64), shared keys by their names (APPROOV_KEYS, JSON Web Keys by
# name), the secret of encrypted tokens (APPROOV_ENCRYPTION_SECRET), which are refused without it, and where the public
# keys are (APPROOV_URL).

use strict;
use warnings;

use Crypt::JWT qw(decode_jwt);
use HTTP::Tiny;
use JSON::PP;
use MIME::Base64 qw(decode_base64 decode_base64url);

for my $name (qw(APPROOV_URL APPROOV_SECRET)) {
    die "the environment has no $name; ../README.md lists the settings\n" if !defined $ENV{$name};
}
my $url     = $ENV{APPROOV_URL};
my $secret  = decode_base64( $ENV{APPROOV_SECRET} );
my $sealing = decode_base64( $ENV{APPROOV_ENCRYPTION_SECRET} // '' );
my $shared  = decode_json( $ENV{APPROOV_KEYS} // '{}' );
my %public;

# The key of a name, as a JSON Web Key; the public ones are asked for when a name is new.
sub key {
    my ($name) = @_;
    return $shared->{$name} if $shared->{$name};
    if ( !$public{$name} ) {
        my $answer = HTTP::Tiny->new( timeout => 5 )->get("$url/.well-known/jwks.json");
        %public = map { $_->{kid} => $_ } @{ decode_json( $answer->{content} )->{keys} };
    }
    return $public{$name};
}

# The claims of a valid token; the key says by which algorithm, and the token never does.
sub claims {
    my ($token) = @_;
    my $header = decode_json( decode_base64url( ( split /[.]/, $token )[0] // '' ) );

    # Crypt::JWT accepts extensions that it does not know (RFC 7515, 4.1.11).
    die "an unknown extension\n" if $header->{crit};
    my ( $key, $algorithm );
    if ( $token =~ tr/.// == 4 ) {
        die "no secret for encrypted tokens\n" if $sealing eq '';
        ( $key, $algorithm ) = ( $sealing, 'A256GCMKW' );
    }
    elsif ( !defined $header->{kid} ) {
        ( $key, $algorithm ) = ( $secret, 'HS256' );
    }
    else {
        $key = key( $header->{kid} ) or die "no such key\n";
        $algorithm = $key->{alg};
    }
    return decode_jwt(
        token        => $token,
        key          => $key,
        accepted_alg => $algorithm,
        accepted_enc => 'A256GCM',
        verify_exp   => 1,
    );
}

sub answer {
    my ( $status, $value ) = @_;
    return [ $status, [ 'Content-Type' => 'application/json' ], [ encode_json($value) ] ];
}

sub {
    my ($request) = @_;
    if ( $request->{PATH_INFO} eq '/hello' ) {
        my $claims = eval { claims( $request->{HTTP_APPROOV_TOKEN} // '' ) };
        return ref $claims
          ? answer( 200, { hello => $claims->{did} } )
          : answer( 401, { error => 'no valid token' } );
    }
    if ( $request->{PATH_INFO} eq '/status' ) {
        my $found  = HTTP::Tiny->new( timeout => 5 )->get("$url/healthcheck/att-backends");
        my $health = eval { decode_json( $found->{content} )->{HealthState} };
        return answer( 200, { service => $health // 'unknown' } );
    }
    return answer( 404, { error => 'there is nothing here' } );
};
